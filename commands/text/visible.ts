// Invisible characters, and characters that change the reading order: a name with them can pass for another one, or
// affect the surrounding text. Matched by Unicode property rather than a list, to cover additions of later versions.

/**
 * Most format characters are ignorable by default; the code points listed here are not, but are invisible too. The
 * Braille blank looks like a space but is not one.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]`;

/** Scripts whose words contain joiners and non-joiners. */
const JOINING = scripts(
  'Arabic Syriac Mongolian Nko Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
    'Khmer Myanmar Tibetan Balinese Javanese Meetei_Mayek',
);
const RIGHT_TO_LEFT = scripts('Arabic Hebrew Syriac Thaana Nko Mandaic Samaritan Adlam');

/** Sequences in which such a character is part of something visible. */
const VISIBLE_SEQUENCES = [
  // Flags of England, Scotland, Wales: a black flag, letters as tags, the end.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  // An emoji, with the requested style, joined to the next one.
  String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?(?:\u200d(?=\p{Extended_Pictographic}))?`,
  // A keycap.
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // Within words of joining scripts; a vowel sign may come in between.
  String.raw`${JOINING}[\u064b-\u065f]*[\u200c\u200d](?=${JOINING})`,
  // A variant of an ideograph, as in Japanese family names, or of a Mongolian letter.
  String.raw`\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`[\u1820-\u18aa][\u180b-\u180f]`,
  // One mark next to a right-to-left letter.
  String.raw`${RIGHT_TO_LEFT}[\u200e\u200f\u061c]`,
  String.raw`[\u200e\u200f\u061c](?=${RIGHT_TO_LEFT})`,
];

const PARTS = new RegExp(`${VISIBLE_SEQUENCES.map((value) => `(?:${value})`).join('|')}|(${UNSEEN})`, 'gu');

/** A pattern for one visible character of the named scripts. */
function scripts(names: string): string {
  const all = names.split(' ').map((name) => String.raw`\p{Script=${name}}`);
  return String.raw`(?:(?!\p{Cf})[${all.join('')}])`;
}

/** The first invisible character, as `U+202E`; undefined if there is none. */
export function unseenIn(text: string): string | undefined {
  for (const [, unseen] of text.matchAll(PARTS)) {
    if (unseen !== undefined) return `U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** Replaces each invisible character with `instead`. */
export function withoutUnseen(text: string, instead = ''): string {
  return text.replace(PARTS, (part: string, unseen: string | undefined) => (unseen === undefined ? part : instead));
}

const graphemes = new Intl.Segmenter();

/**
 * Reduces foreign text to one line of visible characters, at most `maxLength` UTF-16 units long, without splitting a
 * grapheme.
 */
export function cleanLine(text: string, maxLength: number): string {
  const line = withoutUnseen(text.replace(/[\t-\r\u0085\u2028\u2029]/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  let end = 0;
  // Segments one unit more than the limit, to see whether the last grapheme continues.
  for (const { index, segment } of graphemes.segment(line.slice(0, maxLength + 1))) {
    if (index + segment.length > maxLength) break;
    end = index + segment.length;
  }
  return line.slice(0, end).trimEnd();
}
