export const westernDigits = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));

/** A number as people write it, in the characters computers read: Arabic digits and a decimal comma are replaced. */
export const asDecimal = (text: string): string => westernDigits(text.trim()).replace(/[٫,]/g, '.');
