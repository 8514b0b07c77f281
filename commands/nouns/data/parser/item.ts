import { message, type Message } from '#commands/text/message.ts';
import type { ModemMessageBodyParser } from '#proto/gen/hiber/parser_pb.ts';

/** A parser in lists and commands. */
export interface ParserItem {
  readonly parser: ModemMessageBodyParser;
  /** True if the current organization owns the parser. Other organizations can use it, but not change it. */
  readonly owned: boolean;
}

export const idOf = ({ parser }: ParserItem): string => parser.identifier;

export const nameOf = ({ parser }: ParserItem): string => parser.name || parser.identifier;

export const isSimple = ({ parser }: ParserItem): boolean => parser.simpleParser !== undefined;

export const kindOf = (item: ParserItem): Message =>
  message(isSimple(item) ? 'parser:kind.simple' : 'parser:kind.uploaded');
