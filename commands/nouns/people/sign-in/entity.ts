import { attributes, pickColumns } from '#commands/kit/attributes.ts';
import { localLookups, slicePage } from '#commands/kit/local-list.ts';
import type { DetailPart } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entity, type Entity } from '#commands/model/entity.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { USER } from '#commands/nouns/tab-groups.ts';
import { message, type Message } from '#commands/text/message.ts';
import { SessionService, SignInSchema, type SignIn } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';

import { browserText } from './user-agent.ts';

interface Selection {
  search?: string;
}

/** Returns the organization field for a request, or no field for users without an organization. */
export function organizationField(organization: string): { organization?: string } {
  return organization ? { organization } : {};
}

/** Lists the caller's sign-ins, or those of the member `userId`, newest first (SessionService). */
export async function listSignIns(
  context: Context,
  { userId = '', organization = context.organization.id } = {},
): Promise<readonly SignIn[]> {
  const request = { ...organizationField(organization), userId };
  return (await context.api(SessionService).list(request, { signal: context.signal })).signIns;
}

/** Matches `quarterdeck-console 0.261.0+0.1.0`, which is the contract version followed by our release. */
const OWN_CLIENT = /^quarterdeck-(console|cli)(?: [^+\s]*)?(?:\+(\S+))?$/;

/** Returns the display name of our own clients, or the name that another client sends. */
function clientText({ client }: SignIn): string | Message | undefined {
  const [, name, version = ''] = OWN_CLIENT.exec(client) ?? [];
  return name ? message(`sign-in:client.${name}`, { version }) : client || undefined;
}

/** Returns a sign-in's browser and system, such as `Chrome 131 · Windows`, or an unknown user agent unchanged. */
function browserOf({ userAgent, client }: SignIn): string | undefined {
  if (OWN_CLIENT.exec(client)?.[1] === 'cli') return 'Terminal';
  return browserText(userAgent) ?? (userAgent || undefined);
}

const { columns, details } = attributes<SignIn, Selection>(
  {
    place: {
      kind: 'text',
      value: (item) => browserOf(item) ?? message('sign-in:unknown'),
      column: { width: 200, grow: 2 },
      detail: 'identity',
    },
    client: { kind: 'text', value: clientText, column: { width: 160, grow: 1 }, detail: 'about' },
    signedIn: {
      kind: 'time',
      value: ({ signedInAt }) => textOf(signedInAt),
      time: ({ signedInAt }) => toMs(signedInAt),
      column: { width: 180 },
      detail: 'about',
    },
    seen: {
      kind: 'age',
      value: ({ lastSeenAt }) => textOf(lastSeenAt),
      time: ({ lastSeenAt }) => toMs(lastSeenAt),
      column: { width: 90 },
      detail: 'state',
    },
    current: {
      kind: 'status',
      value: (item) => (item.current ? message('sign-in:this') : undefined),
      column: { width: 100, possibleValues: [message('sign-in:this')] },
      detail: 'state',
    },
    agent: { kind: 'mono', value: ({ userAgent }) => userAgent || undefined, detail: 'about' },
    id: { kind: 'mono', value: ({ id }) => id, detail: 'about' },
  },
  { columns: ['place', 'current'] },
);

/** The columns that fit a panel. {@link signInDetail} shows the other values. */
export const signInColumns = pickColumns(columns, {
  place: { width: 160, grow: 1 },
  current: { width: 70 },
  seen: { width: 80 },
});

export function signInDetail({ client, signedInAt, userAgent }: SignIn) {
  const fields = [
    ['client', client],
    ['signedIn', textOf(signedInAt), toMs(signedInAt)],
    ['agent', userAgent],
  ] as const;
  return fields.flatMap(([name, text, time]): DetailPart[] =>
    text ? [{ label: message(`sign-in:details.${name}`), text, time }] : [],
  );
}

const searchText = (item: SignIn): string => [browserOf(item), item.client, item.id].filter(Boolean).join(' ');

/** The browsers and other clients where the user is signed in. */
export const signIn: Entity<SignIn, Selection> = entity({
  name: 'sign-in',
  plural: 'sign-ins',
  requires: 'UPDATE_SELF',
  screen: { path: '/user/sessions', key: 'g s', tabs: USER, last: true },
  id: ({ id }) => id,
  label: (item) => browserOf(item) ?? item.client ?? item.id,
  detail: clientText,
  json: (item, toJson) => toJson(SignInSchema, item),
  isId: () => false,
  toId: (text) => text.trim(),
  list: async (context, { selection: { search = '' } }, window) => {
    const query = search.trim().toLocaleLowerCase();
    const signIns = await listSignIns(context);
    return slicePage(
      signIns.filter((item) => searchText(item).toLocaleLowerCase().includes(query)),
      window,
    );
  },
  ...localLookups({
    loadAll: (context) => listSignIns(context),
    id: ({ id }) => id,
    name: browserOf,
    text: searchText,
  }),
  emptySelection: (): Selection => ({}),
  // The client searches, because one response contains all sign-ins.
  applySearch: (selection, text) => {
    selection.search = text;
  },
  filter: {},
  // The server always returns the newest sign-ins first.
  sorts: [],
  columns,
  details,
});

export { signIn as entity };
