// Detects invisible characters and characters that change the reading order, because a name that contains them can
// impersonate another name or corrupt the surrounding text. Matches by Unicode property rather than by list, to cover
// later versions.

/**
 * Matches an invisible character. Most format characters are ignorable by default, but the code points listed here are
 * invisible without this property. The Braille blank looks like a space but is not a space.
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]`;

/** A character of a script that uses joiners and non-joiners within words. */
const JOINING = anyVisibleIn(
  'Arabic Syriac Mongolian Nko Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
    'Khmer Myanmar Tibetan Balinese Javanese Meetei_Mayek',
);
const RIGHT_TO_LEFT = anyVisibleIn('Arabic Hebrew Syriac Thaana Nko Mandaic Samaritan Adlam');

/** Sequences that can contain an otherwise invisible character. */
const VISIBLE_SEQUENCES = [
  // Flags of England, Scotland, and Wales: black flag, tag letters, cancel tag.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  // An emoji with an optional skin tone or variation selector, optionally joined to the next emoji.
  String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?(?:\u200d(?=\p{Extended_Pictographic}))?`,
  // A keycap.
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // A joiner or non-joiner inside a word of these scripts, possibly after vowel signs.
  String.raw`${JOINING}[\u064b-\u065f]*[\u200c\u200d](?=${JOINING})`,
  // A variant of an ideograph, as in Japanese family names, or of a Mongolian letter.
  String.raw`\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`[\u1820-\u18aa][\u180b-\u180f]`,
  // A single directional mark next to a right-to-left letter.
  String.raw`${RIGHT_TO_LEFT}[\u200e\u200f\u061c]`,
  String.raw`[\u200e\u200f\u061c](?=${RIGHT_TO_LEFT})`,
];

const PARTS = new RegExp(`${VISIBLE_SEQUENCES.map((value) => `(?:${value})`).join('|')}|(${INVISIBLE})`, 'gu');

/** Returns a pattern for one visible character of the named scripts. */
function anyVisibleIn(names: string): string {
  const scripts = names.split(' ').map((name) => String.raw`\p{Script=${name}}`);
  return String.raw`(?:(?!\p{Cf})[${scripts.join('')}])`;
}

/** Finds the first invisible character, in the form `U+202E`. Returns undefined if there is none. */
export function findInvisible(text: string): string | undefined {
  for (const [, invisible] of text.matchAll(PARTS)) {
    if (invisible !== undefined) return `U+${invisible.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** Replaces each invisible character with `replacement`. */
export function replaceInvisible(text: string, replacement = ''): string {
  return text.replace(PARTS, (part: string, invisible: string | undefined) =>
    invisible === undefined ? part : replacement,
  );
}

/** Returns untrusted text as one line that shows where it has invisible characters. */
export function visibleLine(text: string): string {
  return replaceInvisible(text.replace(/\s+/g, ' '), '\ufffd');
}

const RIGHT_TO_LEFT_LETTER = new RegExp(RIGHT_TO_LEFT, 'u');

/** True if the text has right-to-left letters, which also change the order of digits and punctuation next to them. */
export function readsRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT_LETTER.test(text);
}

const graphemes = new Intl.Segmenter();

/**
 * Reduces untrusted text to one line of visible characters, at most `maxLength` UTF-16 units long, without splitting a
 * grapheme.
 */
export function cleanLine(text: string, maxLength: number): string {
  const line = replaceInvisible(text.replace(/[\t-\r\u0085\u2028\u2029]/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  let end = 0;
  // Look one unit past the limit, to detect a grapheme that crosses it.
  for (const { index, segment } of graphemes.segment(line.slice(0, maxLength + 1))) {
    if (index + segment.length > maxLength) break;
    end = index + segment.length;
  }
  return line.slice(0, end).trimEnd();
}
