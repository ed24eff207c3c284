/** Finds letters that are taken for others: of two alphabets in one word, or of another one with all the same shapes. */

const LATIN = /\p{Script=Latin}/u;
const OTHER = /(?!\p{Script=Latin})\p{L}/u;
/** Letters of other alphabets that have the shape of a Latin one. */
const TWINS = /^[аАВЕеЅѕІіЈјКкМНОоРрСсТУуХхһԁԛԝАΑΒΕΖΗΙΚΜΝΟΡΤΥΧαιονρυϲⅼӏ]+$/u;
/** Signs without a shape: joiners, marks of direction, spaces of no width. */
const UNSEEN = /[\p{Cf}\p{Cc}\u00A0\u2000-\u200F\u2028-\u202F\u3000]/u;
const isOddShape = (letter: string): boolean => letter.normalize('NFKC') !== letter.normalize('NFC');

export type TextPart = { text: string; odd: boolean };

function oddLetters(word: string): (letter: string) => boolean {
  const letters = word.replace(/[^\p{L}]/gu, '');
  const isAlike = (LATIN.test(letters) && OTHER.test(letters)) || (letters !== '' && TWINS.test(letters));
  return (letter) => UNSEEN.test(letter) || isOddShape(letter) || (isAlike && OTHER.test(letter));
}

/** The text in parts, in their order; an odd sign that is not seen is named by its code. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  for (const word of text.split(/(?<=[^\p{L}\p{N}\p{M}\p{Cf}])|(?=[^\p{L}\p{N}\p{M}\p{Cf}])/u)) {
    const isOdd = oddLetters(word);
    for (const letter of word) {
      const odd = isOdd(letter);
      const shown = odd && UNSEEN.test(letter) ? `[${codeOf(letter)}]` : letter;
      const last = parts.at(-1);
      if (last?.odd === odd) last.text += shown;
      else parts.push({ text: shown, odd });
    }
  }
  return parts;
}

const codeOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
