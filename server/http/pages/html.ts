/** Text that is markup already: whatever else is put into a page is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | readonly Part[];

/** Markup with values in it: html`<p>${name}</p>`. Lists are joined. */
export function html(markup: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(markup.map((text, index) => text + markupOf(values[index] ?? '')).join(''));
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text;
  return typeof part === 'string' ? escaped(part) : part.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
