import { create, fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { useMemo, useRef, useState } from 'react';

import { definitionSource, type Source } from '#commands/nouns/data/parser/bench/source.ts';
import { idOf, type ParserItem } from '#commands/nouns/data/parser/item.ts';
import { formatSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import { simpleProblems, type SimpleProblem } from '#commands/nouns/data/parser/simple-problems.ts';
import { reduceName } from '#commands/text/reduce-name.ts';
import {
  type SimpleModemMessageBodyParser as SimpleParser,
  SimpleModemMessageBodyParserSchema as SimpleSchema,
} from '#proto/gen/hiber/parser_pb.ts';

import { draftOf, handOverCaret, NEW_DRAFT, NEW_SIMPLE_DRAFT, takeCaret } from './draft.ts';
import { newSimple } from './fields/model.ts';
import { useKeptDraft } from './use-kept-draft.ts';

const NEW_DEFINITION = `meta:
  id: sensor
  title: Sensor
  endian: be
seq:
  - id: frame
    type: u1
`;

const NO_PROBLEMS: readonly SimpleProblem[] = [];

/** The edited content: a definition as text, or the fields of a simple parser. */
export interface Draft {
  readonly initialText: string;
  readonly text: string;
  readonly setText: (text: string, caret: number) => void;
  /** The caret's initial position. */
  readonly initialCaret: number | undefined;
  /** Undefined for a definition as text. */
  readonly simple: SimpleParser | undefined;
  readonly savedSimple: SimpleParser | undefined;
  readonly setSimple: (parser: SimpleParser) => void;
  /** The problems of a simple parser. */
  readonly problems: readonly SimpleProblem[];
  /** The draft in a form that the server can try, or undefined if there is none. */
  readonly source: Source | undefined;
  readonly savedSource: Source | undefined;
  readonly isChanged: boolean;
  /** Lets the new parser's bench pick up where this draft left off. */
  readonly handOver: (parser: string, stored: SavedContent) => void;
}

/** The saved content. Compared by identity to check whether a plan is still current. */
export type SavedContent = string | SimpleParser;

interface DraftOptions {
  /** Undefined for a new parser. */
  readonly item: ParserItem | undefined;
  /** The saved definition. */
  readonly saved: string | undefined;
  /** True if a new parser is a simple one. */
  readonly isNewSimple: boolean;
  readonly readOnly: boolean;
}

/** Keeps an unsaved definition, even after the user leaves the bench. */
export function useDraft({ item, saved, isNewSimple, readOnly }: DraftOptions): Draft {
  const savedSimple = item?.parser.simpleParser;
  const isSimple = item ? savedSimple !== undefined : isNewSimple;
  const key = item ? idOf(item) : isNewSimple ? NEW_SIMPLE_DRAFT : NEW_DRAFT;
  const [keptText] = useState(() => (readOnly ? undefined : draftOf(key)));
  const [initialCaret] = useState(() => takeCaret(key));
  const [initialText] = useState(() => (isSimple ? '' : (keptText ?? saved ?? NEW_DEFINITION)));
  const [initialSimple] = useState(() => savedSimple ?? newSimple());
  const [text, setText] = useState(initialText);
  const [editedSimple, setSimple] = useState(() => simpleFrom(keptText) ?? initialSimple);
  const simple = isSimple ? editedSimple : undefined;

  const isChanged = simple ? contentOf(simple) !== contentOf(savedSimple ?? initialSimple) : text !== saved;
  const isKept = simple ? isChanged : text !== (saved ?? NEW_DEFINITION);
  const draftText = useMemo(
    () => (!isKept ? undefined : simple ? toJsonString(SimpleSchema, simple) : text),
    [isKept, simple, text],
  );
  const keptDraft = useKeptDraft(key, draftText, readOnly);
  /** The latest input, even if it hasn't been rendered, and what was stored when a new parser was created. */
  const latestInput = useRef<{ content: SavedContent; caret: number; stored?: SavedContent; parser?: string }>({
    content: simple ?? text,
    caret: 0,
  });
  const saveInput = (): void => {
    const { content, caret, stored, parser } = latestInput.current;
    if (parser === undefined) return;
    const typed = typeof content === 'string' ? content : toJsonString(SimpleSchema, content);
    keptDraft.saveDraft(content === stored ? undefined : typed);
    handOverCaret(parser, caret);
  };
  const type = (content: SavedContent, caret: number): void => {
    latestInput.current = { ...latestInput.current, content, caret };
    saveInput();
  };

  const problems = useMemo(() => (simple ? simpleProblems(simple) : NO_PROBLEMS), [simple]);
  const source = useMemo((): Source | undefined => {
    if (simple) return problems.length > 0 ? undefined : { case: 'simpleParser', value: withName(simple) };
    return text.trim() === '' ? undefined : definitionSource(text);
  }, [simple, problems, text]);
  // The definition that was generated from the saved fields.
  const savedSource = useMemo(() => (saved === undefined ? undefined : definitionSource(saved)), [saved]);
  return {
    initialText,
    text,
    setText: (next, caret) => {
      type(next, caret);
      setText(next);
    },
    initialCaret,
    simple,
    savedSimple,
    setSimple: (next) => {
      type(next, 0);
      setSimple(next);
    },
    problems,
    source,
    savedSource,
    isChanged,
    handOver: (parser, stored) => {
      keptDraft.handOver(parser);
      latestInput.current = { ...latestInput.current, parser, stored };
      saveInput();
    },
  };
}

/** The server needs a name to generate a definition, but the result doesn't depend on it. */
const withName = (parser: SimpleParser): SimpleParser =>
  reduceName(parser.name) === '' ? { ...parser, name: 'parser' } : parser;

/** Returns everything that saving a simple parser stores, as text. */
const contentOf = (parser: SimpleParser): string =>
  JSON.stringify([formatSimple(parser), parser.defaultEndian, parser.defaultTextEncoding.trim(), parser.documentation]);

/** Reads a kept draft. Undefined if there is none, or another version of the console kept it. */
function simpleFrom(json: string | undefined): SimpleParser | undefined {
  if (json === undefined) return undefined;
  try {
    return create(SimpleSchema, fromJsonString(SimpleSchema, json, { ignoreUnknownFields: true }));
  } catch {
    return undefined;
  }
}
