/** The digits of Arabic and Persian keyboards as `0` to `9`. */
export const westernDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
