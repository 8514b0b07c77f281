import type { Context } from '#commands/model/context.ts';
import { CommandError, UnknownValueError } from '#commands/model/errors.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';
import { UserService, type User } from '#proto/gen/hiber/user_pb.ts';

/** Maximum number of users to suggest, and to compare a misspelled name with. */
const MAX_SUGGESTIONS = 200;

const nameOf = ({ name, email, id }: User): string => name || email || id;

async function searchUsers(context: Context, search: string): Promise<readonly User[]> {
  const request = {
    organization: context.organization.id,
    selection: search ? { search } : {},
    pagination: { size: MAX_SUGGESTIONS },
  };
  return (await context.api(UserService).list(request, { signal: context.signal })).users;
}

/** Suggests members of the organization, with the name or email address to use in a filter. */
export async function suggestOwners(context: Context, text: string): Promise<readonly Suggestion[]> {
  return (await searchUsers(context, text.trim())).map((user) => ({
    value: nameOf(user),
    label: nameOf(user),
    detail: user.email,
  }));
}

/**
 * Finds user ids by name, email address, or id.
 *
 * @throws UnknownValueError with suggestions for a name that is unknown or ambiguous
 */
export async function findOwnerIds(names: readonly string[], context: Context): Promise<readonly string[]> {
  return Promise.all(names.map((name) => findOwnerId(name.trim(), context)));
}

async function findOwnerId(text: string, context: Context): Promise<string> {
  const query = text.toLocaleLowerCase();
  const candidates = await searchUsers(context, text);
  const findExactMatches = candidates.filter(({ id, email }) => id === text || email.toLowerCase() === query);
  const matches =
    findExactMatches.length > 0
      ? findExactMatches
      : candidates.filter((user) => nameOf(user).toLocaleLowerCase() === query);
  const [match, ...others] = matches;
  if (match && others.length === 0) return match.id;
  if (match) {
    const emails = matches.map(({ email }) => email);
    throw new UnknownValueError(
      message('token:filter.severalUsers', { text, emails: emails.join(', ') }),
      text,
      emails,
    );
  }
  const nearMatches =
    candidates.length > 0 ? candidates.map(nameOf) : nearestNames(text, (await searchUsers(context, '')).map(nameOf));
  if (nearMatches.length === 0) throw new CommandError(message('token:filter.noUser', { text }));
  const problem = message('token:filter.nearUser', { text, near: nearMatches.slice(0, 5).join(', ') });
  throw new UnknownValueError(problem, text, nearMatches.slice(0, 5));
}
