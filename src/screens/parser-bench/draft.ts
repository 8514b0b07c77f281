import { tabStorage } from '#src/state/browser-storage.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

/** Unsaved definitions in this tab. They survive leaving the bench and reloading the page, but not a change of user. */
const KEY = 'quarterdeck-parser-drafts';
const MAX_DRAFTS = 10;

interface Draft {
  readonly person: string;
  readonly organization: string;
  /** A parser, or a new one of a kind. */
  readonly parser: string;
  readonly text: string;
}

function read(): readonly Draft[] {
  try {
    const storedDrafts: unknown = JSON.parse(tabStorage.get(KEY) ?? '[]');
    return Array.isArray(storedDrafts)
      ? (storedDrafts as readonly Draft[]).filter(({ text }) => typeof text === 'string')
      : [];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}

function owner(): Pick<Draft, 'person' | 'organization'> | undefined {
  const session = store.get(userSessionAtom);
  return session && { person: session.actor.id, organization: session.organization.id };
}

/** Stands for a new parser, which has one draft per kind. */
export const NEW_DRAFT = '';
export const NEW_SIMPLE_DRAFT = 'simple';

/** Returns the unsaved definition of a parser. */
export function draftOf(parser: string): string | undefined {
  const draftOwner = owner();
  return read().find(
    (draft) =>
      draft.person === draftOwner?.person && draft.organization === draftOwner.organization && draft.parser === parser,
  )?.text;
}

/** Keeps an unsaved definition; undefined once there is nothing to keep. */
export function keepDraft(parser: string, text: string | undefined): void {
  const draftOwner = owner();
  if (!draftOwner) return;
  const others = read().filter(
    (draft) =>
      draft.person === draftOwner.person &&
      !(draft.organization === draftOwner.organization && draft.parser === parser),
  );
  const drafts = text === undefined ? others : [...others, { ...draftOwner, parser, text }];
  if (drafts.length === 0) tabStorage.remove(KEY);
  else tabStorage.set(KEY, JSON.stringify(drafts.slice(-MAX_DRAFTS)));
}

let handedOverCaret: { readonly parser: string; readonly position: number } | undefined;

/** Hands the caret over to the bench of a parser that was just created. */
export function handOverCaret(parser: string, position: number): void {
  handedOverCaret = { parser, position };
}

/** Returns the caret that was handed over to a parser's bench, once. */
export function takeCaret(parser: string): number | undefined {
  if (handedOverCaret?.parser !== parser) return undefined;
  const { position } = handedOverCaret;
  handedOverCaret = undefined;
  return position;
}
