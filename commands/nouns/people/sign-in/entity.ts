import { toJson } from '@bufbuild/protobuf';

import { SessionService, SignInSchema, type SignIn } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { attributes, narrowed } from '#commands/kit/attributes.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailPart } from '#commands/model/column.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { localLookups, pageOf } from '#commands/kit/local-list.ts';
import { message, type Message } from '#commands/text/message.ts';
import { msOf, textOf } from '#commands/model/wire.ts';
import { USER } from '#commands/nouns/tab-groups.ts';
import { agentOf } from './user-agent.ts';

interface Selection {
  search?: string;
}

/** Somebody who belongs to no organization has sign-ins as well. */
export function namedIf(organization: string): { organization?: string } {
  return organization ? { organization } : {};
}

/** Where one is signed in oneself, or with `userId` a member of the organization; newest first (SessionService). */
export async function signInsOf(
  context: Context,
  { userId = '', organization = context.organization.id } = {},
): Promise<readonly SignIn[]> {
  const request = { ...namedIf(organization), userId };
  return (await context.api(SessionService).list(request, { signal: context.signal })).signIns;
}

/** `quarterdeck-console 0.261.0+0.1.0`: the version of the contract, and as its build which release of ours it is. */
const OURS = /^quarterdeck-(console|cli)(?: [^+\s]*)?(?:\+(\S+))?$/;

/** What of ours it is, in words; another client is called as it calls itself. */
function clientText({ client }: SignIn): string | Message | undefined {
  const [, ours, version = ''] = OURS.exec(client) ?? [];
  return ours ? message(`sign-in:client.${ours}`, { version }) : client || undefined;
}

/** `Chrome 131 · Windows`; what it calls itself where that says nothing to us. */
function placeOf({ userAgent, client }: SignIn): string | undefined {
  if (OURS.exec(client)?.[1] === 'cli') return 'Terminal';
  const { program, system } = agentOf(userAgent);
  return [program, system].filter(Boolean).join(' · ') || userAgent || undefined;
}

const { columns, details } = attributes<SignIn, Selection>(
  {
    place: {
      kind: 'text',
      value: (item) => placeOf(item) ?? message('sign-in:unknown'),
      column: { width: 200, grow: 2 },
      detail: 'identity',
    },
    client: { kind: 'text', value: clientText, column: { width: 160, grow: 1 }, detail: 'about' },
    signedIn: {
      kind: 'time',
      value: ({ signedInAt }) => textOf(signedInAt),
      at: ({ signedInAt }) => msOf(signedInAt),
      column: { width: 180 },
      detail: 'about',
    },
    seen: {
      kind: 'age',
      value: ({ lastSeenAt }) => textOf(lastSeenAt),
      at: ({ lastSeenAt }) => msOf(lastSeenAt),
      column: { width: 90 },
      detail: 'state',
    },
    current: {
      kind: 'status',
      value: (item) => (item.current ? message('sign-in:this') : undefined),
      column: { width: 100, texts: [message('sign-in:this')] },
      detail: 'state',
    },
    agent: { kind: 'mono', value: ({ userAgent }) => userAgent || undefined, detail: 'about' },
    id: { kind: 'mono', value: ({ id }) => id, detail: 'about' },
  },
  { columns: ['place', 'current'] },
);

/** What a panel has room for; the rest is in {@link signInDetail}. */
export const signInRow = narrowed(columns, {
  place: { width: 160, grow: 1 },
  current: { width: 70 },
  seen: { width: 80 },
});

export function signInDetail({ client: program, signedInAt, userAgent }: SignIn) {
  const lines = [
    ['client', program],
    ['signedIn', textOf(signedInAt), msOf(signedInAt)],
    ['agent', userAgent],
  ] as const;
  return lines.flatMap(([name, text, at]): DetailPart[] =>
    text ? [{ label: message(`sign-in:details.${name}`), text, at }] : [],
  );
}

const searched = (item: SignIn): string => [placeOf(item), item.client, item.id].filter(Boolean).join(' ');

/** Browsers and programs that the person is signed in on. */
export const signIn: Entity<SignIn, Selection> = entity({
  name: 'sign-in',
  plural: 'sign-ins',
  requires: 'UPDATE_SELF',
  screen: { path: '/user/sessions', key: 'g s', tabs: USER, last: true },
  id: ({ id }) => id,
  label: (item) => placeOf(item) ?? item.client ?? item.id,
  detail: clientText,
  json: (item) => toJson(SignInSchema, item),
  isId: () => false,
  toId: (text) => text.trim(),
  list: async (context, { selection: { search = '' } }, window) => {
    const words = search.trim().toLocaleLowerCase();
    const all = await signInsOf(context);
    return pageOf(
      all.filter((item) => searched(item).toLocaleLowerCase().includes(words)),
      window,
    );
  },
  ...localLookups({ every: (context) => signInsOf(context), id: ({ id }) => id, name: placeOf, text: searched }),
  emptySelection: (): Selection => ({}),
  // In all of them: they come in one answer.
  applySearch: (selection, words) => {
    selection.search = words;
  },
  filter: {},
  // Newest first, always.
  sorts: [],
  columns,
  details,
});
