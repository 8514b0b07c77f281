import { UserService, type User } from '#proto/gen/hiber/user_pb.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, UnknownValue } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { nearest } from '#commands/text/near.ts';

/** As many people as a list under the cursor can show, and as a misspelt name is compared with. */
const OFFERED = 200;

const nameOf = ({ name, email, id }: User): string => name || email || id;

async function people(context: Context, search: string): Promise<readonly User[]> {
  const request = {
    organization: context.organization.id,
    selection: search ? { search } : {},
    pagination: { size: OFFERED },
  };
  return (await context.api(UserService).list(request, { signal: context.signal })).users;
}

/** People of the organization, by the name a filter takes. */
export async function suggestOwners(context: Context, text: string): Promise<readonly Suggestion[]> {
  return (await people(context, text.trim())).map((user) => ({
    value: nameOf(user),
    label: nameOf(user),
    detail: user.email,
  }));
}

/**
 * The ids of people by name, address or id.
 * @throws UnknownValue with near ones for who is not there or not the only one
 */
export async function ownerIds(names: readonly string[], context: Context): Promise<readonly string[]> {
  return Promise.all(names.map((name) => ownerId(name.trim(), context)));
}

async function ownerId(text: string, context: Context): Promise<string> {
  const wanted = text.toLocaleLowerCase();
  const found = await people(context, text);
  const addressed = found.filter(({ id, email }) => id === text || email.toLowerCase() === wanted);
  const named = addressed.length > 0 ? addressed : found.filter((user) => nameOf(user).toLocaleLowerCase() === wanted);
  const [only, ...more] = named;
  if (only && more.length === 0) return only.id;
  if (only) {
    const emails = named.map(({ email }) => email);
    throw new UnknownValue(message('token:filter.severalUsers', { text, emails: emails.join(', ') }), text, emails);
  }
  const near = found.length > 0 ? found.map(nameOf) : nearest(text, (await people(context, '')).map(nameOf));
  if (near.length === 0) throw new CommandError(message('token:filter.noUser', { text }));
  const sentence = message('token:filter.nearUser', { text, near: near.slice(0, 5).join(', ') });
  throw new UnknownValue(sentence, text, near.slice(0, 5));
}
