/** A part of a text: a link, or text without one. */
export interface TextPart {
  readonly text: string;
  readonly url?: string;
}

const URLS = /\bhttps?:\/\/[^\s<>"`]+/gi;
/** Punctuation that ends a sentence rather than the URL before it. */
const TRAILING = /[.,;:!?'’”»)\]}]+$/;

/** Splits text at its http and https URLs. Everything else stays text, so no other scheme becomes a link. */
export function splitLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index, 0: match } of text.matchAll(URLS)) {
    const url = withoutPunctuation(match);
    if (!URL.canParse(url)) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: url, url });
    end = index + url.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Removes punctuation at the end, except for a parenthesis that the URL itself opens, as in `…/Valve_(part)`. */
function withoutPunctuation(match: string): string {
  const url = match.replace(TRAILING, '');
  return url.includes('(') && match[url.length] === ')' ? `${url})` : url;
}
