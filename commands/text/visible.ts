// Characters that nobody sees, and characters that turn the order of reading: a name with them looks like another one,
// or changes the text around it. By Unicode property, not by a list, so that what later versions add is covered.

/**
 * Format characters are mostly ignorable by default; these few are not, and are not seen either. The Braille blank is
 * a blank that is no space.
 */
const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}]`;

/** Scripts whose words are written with joiners and non-joiners. */
const JOINING = scripts(
  'Arabic Syriac Mongolian Nko Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala ' +
    'Khmer Myanmar Tibetan Balinese Javanese Meetei_Mayek',
);
const RIGHT_TO_LEFT = scripts('Arabic Hebrew Syriac Thaana Nko Mandaic Samaritan Adlam');

/** Where such a character is part of how something visible is written. */
const WRITTEN = [
  // Flags of England, Scotland, Wales: a black flag, letters as tags, the end.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
  // An emoji, in the style that is asked for, joined to the next one.
  String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?(?:\u200d(?=\p{Extended_Pictographic}))?`,
  // A keycap.
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // Within words of scripts that join; a vowel sign may stand between.
  String.raw`${JOINING}[\u064b-\u065f]*[\u200c\u200d](?=${JOINING})`,
  // A variant of an ideograph, as in Japanese family names, and of a Mongolian letter.
  String.raw`\p{Script=Han}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`[\u1820-\u18aa][\u180b-\u180f]`,
  // One mark beside a letter that is read from right to left.
  String.raw`${RIGHT_TO_LEFT}[\u200e\u200f\u061c]`,
  String.raw`[\u200e\u200f\u061c](?=${RIGHT_TO_LEFT})`,
];

const PARTS = new RegExp(`${WRITTEN.map((value) => `(?:${value})`).join('|')}|(${UNSEEN})`, 'gu');

/** One letter or sign of these scripts, of those that are seen. */
function scripts(names: string): string {
  const all = names.split(' ').map((name) => String.raw`\p{Script=${name}}`);
  return String.raw`(?:(?!\p{Cf})[${all.join('')}])`;
}

/** The first character that nobody sees, as `U+202E`; undefined when there is none. */
export function unseenIn(text: string): string | undefined {
  for (const [, unseen] of text.matchAll(PARTS)) {
    if (unseen !== undefined) return `U+${unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** The text with `instead` for each character that nobody sees. */
export function withoutUnseen(text: string, instead = ''): string {
  return text.replace(PARTS, (part: string, unseen: string | undefined) => (unseen === undefined ? part : instead));
}

const graphemes = new Intl.Segmenter();

/**
 * A text that comes from elsewhere as one line of what can be seen, at most that long; what a reader takes for one
 * character is not cut apart.
 */
export function cleanLine(text: string, most: number): string {
  const line = withoutUnseen(text.replace(/[\t-\r\u0085\u2028\u2029]/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
  if (line.length <= most) return line;
  let end = 0;
  // Only what may stay is taken apart, and a little more, so that the last character is seen whole.
  for (const { index, segment } of graphemes.segment(line.slice(0, most + 1))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return line.slice(0, end).trimEnd();
}
