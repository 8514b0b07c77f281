import { create, toJson } from '@bufbuild/protobuf';

import { emailOptions } from '#commands/kit/email-address.ts';
import { enumLabels } from '#commands/kit/enum-labels.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, failureOf, isAbort } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import type { Change, ValueText } from '#commands/model/plan.ts';
import { enumName } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  UserService,
  UserValidation_SignInProvider as Provider,
  UserValidationSchema,
  type UserValidation,
} from '#proto/gen/hiber/user_pb.ts';

import { selectUsers, loadUsers } from './item.ts';

type Rules = Pick<UserValidation, 'emailValidationRegex' | 'allowedSignInProviders' | 'requireVerifiedEmailAddresses'>;

export const providerLabels = enumLabels(Provider, 'user:provider');
export const PROVIDERS = p.names(Provider);
type ProviderName = (typeof PROVIDERS)[number];

/** The rules to change. Rules without a value stay the same. */
interface RuleChange {
  readonly providers?: readonly ProviderName[] | undefined;
  readonly pattern?: string | undefined;
  readonly verified?: boolean | undefined;
}

const ruleParams = {
  /** An empty list means no restriction. */
  providers: p.choices(PROVIDERS, { label: providerLabels.byName }),
  pattern: p.text({ clears: true, placeholder: '.*@example\\.com' }),
  verified: p.optionalFlag(),
};

export async function loadRules(context: Context): Promise<UserValidation> {
  const request = { organization: context.organization.id };
  return context.api(UserService).getUserValidation(request, { signal: context.signal });
}

const providerNames = (rules: Rules): readonly string[] =>
  rules.allowedSignInProviders.flatMap((provider) => enumName(Provider, provider) ?? []);

function applyChange(before: Rules, { providers, pattern, verified }: RuleChange): UserValidation {
  return create(UserValidationSchema, {
    emailValidationRegex: pattern?.trim() ?? before.emailValidationRegex,
    allowedSignInProviders: providers ? providers.map((name) => Provider[name]) : [...before.allowedSignInProviders],
    requireVerifiedEmailAddresses: verified ?? before.requireVerifiedEmailAddresses,
  });
}

/** Formats each rule for a plan. */
function ruleLabels(rules: Rules): Readonly<Record<keyof typeof ruleParams, ValueText>> {
  return {
    providers: providerLabels.list(rules.allowedSignInProviders),
    pattern: rules.emailValidationRegex || undefined,
    verified: message(rules.requireVerifiedEmailAddresses ? 'user:rule.verified' : 'user:rule.unverified'),
  };
}

function planChanges(context: Context, before: Rules, next: Rules): readonly Change[] {
  const [oldLabels, newLabels] = [ruleLabels(before), ruleLabels(next)];
  return (Object.keys(ruleParams) as (keyof typeof ruleParams)[])
    .filter((name) => JSON.stringify(oldLabels[name]) !== JSON.stringify(newLabels[name]))
    .map((name) => ({
      id: name,
      label: context.organization.name,
      field: message(`user:rules.${name}`),
      before: oldLabels[name],
      after: newLabels[name],
    }));
}

/**
 * Returns the server's message about members who don't meet the rules, or undefined if all members do. The rpc reports
 * these members as an error (contract).
 */
async function findLockedOutReason(context: Context, rules: UserValidation): Promise<Message | undefined> {
  const request = {
    organization: context.organization.id,
    validate: { case: 'selection', value: {} } as const,
    customValidation: rules,
  };
  try {
    await context.api(UserService).testUserValidation(request, { signal: context.signal });
    return undefined;
  } catch (error) {
    const { code, message: userMessage } = failureOf(error);
    if (isAbort(error) || code !== 'failed_precondition') throw error;
    return userMessage;
  }
}

/**
 * Sets the sign-in rules. The plan tests them against every member, because members who do not meet the rules lose
 * access to the organization.
 */
export const setSignInRules = command({
  id: 'user.set-sign-in-rules',
  requires: 'MANAGE_USERS',
  effect: 'write',
  params: ruleParams,
  initial: async (context) => {
    const rules = await loadRules(context);
    return {
      values: {
        providers: providerNames(rules),
        pattern: rules.emailValidationRegex,
        verified: rules.requireVerifiedEmailAddresses,
      },
    };
  },
  problems: (_context, { providers, pattern, verified }) =>
    providers === undefined && pattern === undefined && verified === undefined
      ? { providers: message('user:validation.noRule') }
      : {},
  plan: async (context, change) => {
    const before = await loadRules(context);
    const next = applyChange(before, change);
    const [reason, { pagination }] = await Promise.all([
      findLockedOutReason(context, next),
      loadUsers(context, selectUsers())({ size: 1 }),
    ]);
    const members = pagination?.total ?? 0;
    return {
      summary: message('user:plan.rules'),
      count: members,
      changes: planChanges(context, before, next),
      notes: [
        reason ? message('user:plan.lockedOut', { reason }) : message('user:plan.nobodyLockedOut', { count: members }),
      ],
      reversible: true,
    };
  },
  run: async (context, change) => {
    const before = await loadRules(context);
    const { providers, pattern, verified } = change;
    await context.api(UserService).updateUserValidation(
      {
        organization: context.organization.id,
        ...(pattern === undefined ? {} : { emailValidationRegex: pattern.trim() }),
        ...(providers && providers.length > 0
          ? { replaceAllowedSignInProviders: providers.map((name) => Provider[name]) }
          : {}),
        ...(providers?.length === 0 ? { allowAllSignInProviders: true } : {}),
        ...(verified === undefined ? {} : { requireVerifiedEmailAddresses: verified }),
      },
      { signal: context.signal },
    );
    const changes = planChanges(context, before, applyChange(before, change));
    return {
      changed: ['user'],
      message: message(changes.length > 0 ? 'user:done.rules' : 'common:done.nothing'),
      data: { before: toJson(UserValidationSchema, before), providers: providerNames(before) },
    };
  },
  inverse: (change, { data }) => {
    const { before, providers } = data as { before: Partial<Record<keyof Rules, unknown>>; providers: string[] };
    return [
      {
        id: 'user.set-sign-in-rules',
        args: {
          ...(change.providers ? { providers } : {}),
          ...(change.pattern === undefined ? {} : { pattern: (before.emailValidationRegex as string) ?? '' }),
          ...(change.verified === undefined ? {} : { verified: Boolean(before.requireVerifiedEmailAddresses) }),
        },
      },
    ];
  },
});

/**
 * Tests an email address, or every member, against the current rules with the given changes.
 *
 * @throws CommandError or ConnectError that names the people who don't meet the rules, and why
 */
export const testSignInRules = command({
  id: 'user.test-sign-in-rules',
  requires: 'MANAGE_USERS',
  effect: 'read',
  params: { email: p.text(emailOptions), ...ruleParams },
  positional: ['email'],
  run: async (context, { email, ...change }) => {
    const rules = applyChange(await loadRules(context), change);
    if (email) {
      const request = {
        organization: context.organization.id,
        validate: { case: 'emailAddress', value: email.trim() } as const,
        customValidation: rules,
      };
      await context.api(UserService).testUserValidation(request, { signal: context.signal });
      return { message: message('user:done.meets', { email: email.trim() }) };
    }
    const reason = await findLockedOutReason(context, rules);
    if (reason) throw new CommandError(reason);
    return { message: message('user:done.allMeet') };
  },
});
