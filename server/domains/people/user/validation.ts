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
import { accessSubject, announceAccessChanged } from '#server/events/access.ts';
import { recordEvents } from '#server/events/record.ts';
import { checkAddressPattern, InvalidAddressPatternError } from '#server/session/address-pattern.ts';
import type { Scope } from '#server/session/scope.ts';
import { findBrokenRule, type CheckedSignIn, type SignInRules } from '#server/session/sign-in-rules.ts';
import { readEmailAddress } from '#server/wire/entered-text.ts';
import { failedPrecondition, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import { userValidationUpdated } from './model/events.ts';
import { selectedUsers } from './model/selection.ts';
import { loadRules } from './model/sign-in-rules.ts';

export const presentRules = ({ emailRegex, providers, requireVerifiedEmail }: SignInRules): UserValidation =>
  create(UserValidationSchema, {
    emailValidationRegex: emailRegex,
    allowedSignInProviders: providers as UserValidation['allowedSignInProviders'],
    requireVerifiedEmailAddresses: requireVerifiedEmail,
  });

/**
 * Changes the rules, which apply from each member's next call. Members who break them are not removed, but cannot act
 * in the organization until they sign in as required. Callers cannot lock themselves out.
 *
 * @throws ConnectError INVALID_ARGUMENT for an unusable pattern; FAILED_PRECONDITION if the caller's own sign-in would
 *   break the rules
 */
export async function updateRules(
  app: App,
  caller: Scope,
  request: UpdateUserValidationRequest,
): Promise<UserValidation> {
  const { organization } = caller;
  return app.db.transaction(async (tx) => {
    const rules = applyUpdate(await loadRules(tx, organization), request);
    requireCallerComplies(caller, rules);
    await tx
      .insert(userValidation)
      .values(rules)
      .onConflictDoUpdate({ target: userValidation.organization, set: rules });
    await recordEvents(tx, [userValidationUpdated(organization, rules.emailRegex, app.now())]);
    announceAccessChanged(tx, [accessSubject.organization(organization)]);
    return presentRules(rules);
  });
}

function applyUpdate(rules: SignInRules, request: UpdateUserValidationRequest): SignInRules {
  const { deprecatedEmailValidationRegex: old, replaceAllowedSignInProviders: replacement } = request;
  // If a request sets both the old and the new field, the new field takes precedence (contract: Update semantics).
  const emailRegex = request.emailValidationRegex ?? (old?.updated ? (old.value ?? '') : rules.emailRegex);
  if (request.allowAllSignInProviders === true && replacement.length > 0) {
    throw invalidArgument('Allow all sign-in providers or list the allowed providers, not both.');
  }
  const providers = request.allowAllSignInProviders === true ? [] : replacement;
  return {
    organization: rules.organization,
    emailRegex: readPattern(emailRegex),
    providers:
      request.allowAllSignInProviders === true || providers.length > 0 ? readProviders(providers) : rules.providers,
    requireVerifiedEmail: request.requireVerifiedEmailAddresses ?? rules.requireVerifiedEmail,
  };
}

function readProviders(providers: readonly number[]): number[] {
  const supported: readonly number[] = Object.values(UserValidation_SignInProvider);
  const unsupported = providers.filter((provider) => !supported.includes(provider));
  if (unsupported.length > 0) throw invalidArgument(`Unknown sign-in provider: ${summarizeList(unsupported)}.`);
  return [...new Set(providers)].toSorted((a, b) => a - b);
}

function readPattern(text: string): string {
  const pattern = text.trim();
  try {
    checkAddressPattern(pattern);
  } catch (error) {
    if (error instanceof InvalidAddressPatternError) throw invalidArgument(error.message);
    throw error;
  }
  return pattern;
}

function requireCallerComplies({ session, organization }: Scope, rules: SignInRules): void {
  const { signIn, user, memberships } = session;
  if (signIn === undefined || !memberships.some((membership) => membership.organization === organization)) return;
  const violation = findBrokenRule(rules, { ...signIn, email: user.email });
  if (violation !== undefined) throw failedPrecondition(`This would lock you out. ${violation}`);
}

/**
 * Tests rules against a single address, or against the selected members. The provider of a member's next sign-in is
 * unknown, so only the address and its verification are tested.
 *
 * @param signal aborts when the caller hangs up
 * @throws ConnectError FAILED_PRECONDITION, naming the addresses that break a rule; RESOURCE_EXHAUSTED for a pattern
 *   that is slow to match, and while another test for the organization is running
 */
export async function testRules(
  app: App,
  { organization }: Scope,
  request: TestUserValidationRequest,
  signal: AbortSignal,
): Promise<void> {
  const storedRules = await loadRules(app.db.orm, organization);
  const custom = request.customValidation;
  const rules: SignInRules =
    custom === undefined
      ? storedRules
      : {
          organization,
          emailRegex: readPattern(custom.emailValidationRegex),
          providers: readProviders(custom.allowedSignInProviders),
          requireVerifiedEmail: custom.requireVerifiedEmailAddresses,
        };
  const { case: kind, value } = request.validate;
  if (kind === undefined) throw invalidArgument('Specify the users or the address to test the rules against.');
  // Treat a bare address as verified because nothing is known about it.
  const candidates =
    kind === 'emailAddress'
      ? [{ email: readEmailAddress(value), emailVerified: true }]
      : await app.db.orm
          .select({ email: appUser.email, emailVerified: appUser.emailVerified })
          .from(membership)
          .innerJoin(appUser, eq(appUser.id, membership.userId))
          .where(
            and(
              eq(membership.organization, organization),
              selectedUsers(value, { person: membership.userId, roles: sql`${membership.roles}` }),
            ),
          )
          .orderBy(asc(appUser.email), asc(appUser.id));
  const ruleBreakers = await findRuleBreakers(rules, candidates, signal);
  if (ruleBreakers.length === 0) return;
  const [first] = ruleBreakers;
  const violation = first && findBrokenRule(rules, { ...first, provider: undefined });
  throw failedPrecondition(
    ruleBreakers.length === 1
      ? (violation ?? '')
      : `${ruleBreakers.length} of ${candidates.length} addresses break the rules: ${summarizeList(
          ruleBreakers.map(({ email }) => email),
          10,
        )}.`,
  );
}

type Candidate = Pick<CheckedSignIn, 'email' | 'emailVerified'>;

/** Organizations with a test in progress. */
const runningTests = new Set<string>();
/** Milliseconds of matching before other calls get a turn; a single slow match can take longer. */
const MAX_TURN_MS = 10;
/** Total milliseconds of matching. Tens of thousands of addresses take less, unless the pattern is slow on purpose. */
const MAX_TOTAL_MS = 5000;

/**
 * Finds the addresses that break a rule. Yields to other calls, because an organization can have thousands of addresses
 * and a single match can take tens of milliseconds.
 */
async function findRuleBreakers(
  rules: SignInRules,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<Candidate[]> {
  const { organization } = rules;
  if (runningTests.has(organization)) {
    throw resourceExhausted(`Another test of the rules for "${organization}" is running. Try again when it is done.`);
  }
  runningTests.add(organization);
  try {
    const ruleBreakers: Candidate[] = [];
    let turnMs = 0;
    let totalMs = 0;
    for (const candidate of candidates) {
      const startedAt = performance.now();
      if (findBrokenRule(rules, { ...candidate, provider: undefined }) !== undefined) ruleBreakers.push(candidate);
      const elapsedMs = performance.now() - startedAt;
      turnMs += elapsedMs;
      totalMs += elapsedMs;
      if (totalMs > MAX_TOTAL_MS) {
        throw resourceExhausted('This pattern takes too long to match so many addresses. Use smaller repetitions.');
      }
      if (turnMs < MAX_TURN_MS) continue;
      turnMs = 0;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    return ruleBreakers;
  } finally {
    runningTests.delete(organization);
  }
}

const resourceExhausted = (message: string): ConnectError => new ConnectError(message, Code.ResourceExhausted);
