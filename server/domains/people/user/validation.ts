import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { and, asc, eq, sql } from 'drizzle-orm';
import {
  type TestUserValidationRequest,
  type UpdateUserValidationRequest,
  type UserValidation,
  UserValidation_SignInProvider,
  UserValidationSchema,
} from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { rightsOf, tellRightsChanged } from '#server/events/rights.ts';
import { recordEvents } from '#server/events/record.ts';
import { userValidationUpdated } from './model/events.ts';
import { checkAddressPattern, InvalidAddressPattern } from '#server/session/address-pattern.ts';
import type { Scope } from '#server/session/scope.ts';
import { brokenRule, type JudgedSignIn, type SignInRules } from '#server/session/sign-in-rules.ts';
import { emailAddress } from '#server/wire/entered-text.ts';
import { failedPrecondition, invalidArgument, some } from '#server/wire/errors.ts';
import { rulesOf } from './model/sign-in-rules.ts';
import { selectedUsers } from './model/selection.ts';

export const presentRules = ({ emailRegex, providers, requireVerifiedEmail }: SignInRules): UserValidation =>
  create(UserValidationSchema, {
    emailValidationRegex: emailRegex,
    allowedSignInProviders: providers as UserValidation['allowedSignInProviders'],
    requireVerifiedEmailAddresses: requireVerifiedEmail,
  });

/**
 * Changes the rules, which count from the next call of each member on. Members who break them are not removed: they
 * cannot act in the organization until they sign in as it asks. Nobody locks themselves out.
 *
 * @throws ConnectError INVALID_ARGUMENT for a pattern that cannot be used; FAILED_PRECONDITION when the caller's own
 *   sign-in would break the rules
 */
export async function updateRules(
  app: App,
  caller: Scope,
  request: UpdateUserValidationRequest,
): Promise<UserValidation> {
  const { organization } = caller;
  return app.db.transaction(async (tx) => {
    const rules = changed(await rulesOf(tx, organization), request);
    requireKeptByCaller(caller, rules);
    await tx
      .insert(userValidation)
      .values(rules)
      .onConflictDoUpdate({ target: userValidation.organization, set: rules });
    await recordEvents(tx, [userValidationUpdated(organization, rules.emailRegex, app.now())]);
    tellRightsChanged(tx, [rightsOf.organization(organization)]);
    return presentRules(rules);
  });
}

function changed(rules: SignInRules, request: UpdateUserValidationRequest): SignInRules {
  const { deprecatedEmailValidationRegex: old, replaceAllowedSignInProviders: replacement } = request;
  // If both the old and the new field are sent, the new one wins (contract: Update semantics).
  const emailRegex = request.emailValidationRegex ?? (old?.updated ? (old.value ?? '') : rules.emailRegex);
  if (request.allowAllSignInProviders === true && replacement.length > 0) {
    throw invalidArgument('Either allow all ways to sign in, or list the allowed ones.');
  }
  const providers = request.allowAllSignInProviders === true ? [] : replacement;
  return {
    organization: rules.organization,
    emailRegex: usablePattern(emailRegex),
    providers:
      request.allowAllSignInProviders === true || providers.length > 0 ? knownProviders(providers) : rules.providers,
    requireVerifiedEmail: request.requireVerifiedEmailAddresses ?? rules.requireVerifiedEmail,
  };
}

function knownProviders(providers: readonly number[]): number[] {
  const known: readonly number[] = Object.values(UserValidation_SignInProvider);
  const unknown = providers.filter((provider) => !known.includes(provider));
  if (unknown.length > 0) throw invalidArgument(`There is no way to sign in with number ${some(unknown)}.`);
  return [...new Set(providers)].toSorted((a, b) => a - b);
}

function usablePattern(text: string): string {
  const pattern = text.trim();
  try {
    checkAddressPattern(pattern);
  } catch (error) {
    if (error instanceof InvalidAddressPattern) throw invalidArgument(error.message);
    throw error;
  }
  return pattern;
}

function requireKeptByCaller({ session, organization }: Scope, rules: SignInRules): void {
  const { signIn, user, memberships } = session;
  if (signIn === undefined || !memberships.some((membership) => membership.organization === organization)) return;
  const broken = brokenRule(rules, { ...signIn, email: user.email });
  if (broken !== undefined) throw failedPrecondition(`This would lock you out yourself. ${broken}`);
}

/**
 * Tries rules against one address, or against the members that are selected. Which way a member signs in next is not
 * known beforehand, so only their address is tried, and whether it is verified.
 *
 * @param signal aborted when the caller has gone
 * @throws ConnectError FAILED_PRECONDITION, naming the addresses that break a rule; RESOURCE_EXHAUSTED for a pattern
 *   that
 *   is slow to match, and while another test of the organization's is under way
 */
export async function testRules(
  app: App,
  { organization }: Scope,
  request: TestUserValidationRequest,
  signal: AbortSignal,
): Promise<void> {
  const stored = await rulesOf(app.db.orm, organization);
  const custom = request.customValidation;
  const rules: SignInRules =
    custom === undefined
      ? stored
      : {
          organization,
          emailRegex: usablePattern(custom.emailValidationRegex),
          providers: knownProviders(custom.allowedSignInProviders),
          requireVerifiedEmail: custom.requireVerifiedEmailAddresses,
        };
  const { case: kind, value } = request.validate;
  if (kind === undefined) throw invalidArgument('Say which users or which address to try the rules against.');
  // Of an address alone nobody knows whether it is verified.
  const tried =
    kind === 'emailAddress'
      ? [{ email: emailAddress(value), emailVerified: true }]
      : await app.db.orm
          .select({ email: appUser.email, emailVerified: appUser.emailVerified })
          .from(membership)
          .innerJoin(appUser, eq(appUser.id, membership.userId))
          .where(
            and(
              eq(membership.organization, organization),
              selectedUsers(value, { person: membership.userId, held: sql`${membership.roles}` }),
            ),
          )
          .orderBy(asc(appUser.email), asc(appUser.id));
  const failing = await breaking(rules, tried, signal);
  if (failing.length === 0) return;
  const [first] = failing;
  const sentence = first && brokenRule(rules, { ...first, provider: undefined });
  throw failedPrecondition(
    failing.length === 1
      ? (sentence ?? '')
      : `${failing.length} of ${tried.length} addresses break the rules: ${some(
          failing.map(({ email }) => email),
          10,
        )}.`,
  );
}

type Tried = Pick<JudgedSignIn, 'email' | 'emailVerified'>;

/** Organizations whose members are being looked at. */
const underWay = new Set<string>();
/** Milliseconds in which nobody else is served; one slow match takes longer. */
const MAX_IN_ONE_TURN = 10;
/** Milliseconds of matching. Tens of thousands of addresses take less, unless the pattern is made to be slow. */
const MAX_IN_ALL = 5_000;

/** Those that break a rule. There may be thousands, and one match of a pattern may take tens of milliseconds. */
async function breaking(rules: SignInRules, tried: readonly Tried[], signal: AbortSignal): Promise<Tried[]> {
  const { organization } = rules;
  if (underWay.has(organization)) {
    throw exhausted(`The rules of "${organization}" are being tried already: try again when that test is over.`);
  }
  underWay.add(organization);
  try {
    const failing: Tried[] = [];
    let inTurn = 0;
    let inAll = 0;
    for (const item of tried) {
      const began = performance.now();
      if (brokenRule(rules, { ...item, provider: undefined }) !== undefined) failing.push(item);
      const took = performance.now() - began;
      inTurn += took;
      inAll += took;
      if (inAll > MAX_IN_ALL) {
        throw exhausted('This pattern takes too long to match so many addresses: make its repetitions smaller.');
      }
      if (inTurn < MAX_IN_ONE_TURN) continue;
      inTurn = 0;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    return failing;
  } finally {
    underWay.delete(organization);
  }
}

const exhausted = (sentence: string): ConnectError => new ConnectError(sentence, Code.ResourceExhausted);
