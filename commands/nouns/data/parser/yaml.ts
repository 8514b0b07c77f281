import { Composer, LineCounter, Parser, type Document } from 'yaml';

/** The maximum length of a definition on our server. */
const MAX_LENGTH = 256 * 1024;
/** Each mistake takes time, and only a text that is no definition at all has many. */
const MAX_ERRORS = 200;

/** A document of YAML, as far as it can be read while someone types it. */
export interface YamlDocument {
  readonly contents: unknown;
  /** Returns the line of a position in the text, counted from 1. */
  readonly lineAt: (position: number) => number;
}

class TooManyErrors extends Error {}

/** Reads the first document of a text in a bounded time. Undefined if the text is too long, or is not YAML. */
export function parseYaml(text: string): YamlDocument | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const lines = new LineCounter();
  // A check for unique keys would take the square of their number. The server does it.
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' });
  let errorCount = 0;
  // Only the callback for mistakes can stop the parser.
  Object.assign(composer, {
    onError: () => {
      if (++errorCount > MAX_ERRORS) throw new TooManyErrors();
    },
  });
  try {
    const [document] = composer.compose(
      new Parser(lines.addNewLine).parse(text),
      true,
      text.length,
    ) as Iterable<Document>;
    return { contents: document?.contents, lineAt: (position) => lines.linePos(position).line };
  } catch (error) {
    // The parser calls itself for each level of nesting.
    if (error instanceof TooManyErrors || error instanceof RangeError) return undefined;
    throw error;
  }
}
