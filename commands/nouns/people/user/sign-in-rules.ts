import { create, toJson } from '@bufbuild/protobuf';

import {
  UserService,
  UserValidation_SignInProvider as Provider,
  UserValidationSchema,
  type UserValidation,
} from '#proto/gen/hiber/user_pb.ts';
import { command } from '#commands/model/command.ts';
import { emailProblem } from '#commands/kit/email-address.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError, failureOf, isAbort } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import type { Change, ValueText } from '#commands/model/plan.ts';
import { enumName } from '#commands/model/wire.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import { everyone, loadUsers } from './item.ts';

type Rules = Pick<UserValidation, 'emailValidationRegex' | 'allowedSignInProviders' | 'requireVerifiedEmailAddresses'>;

export const providerWords = enumWords(Provider, 'user:provider');
export const PROVIDERS = p.names(Provider);
type ProviderName = (typeof PROVIDERS)[number];

/** What the rules are to be: only what was given changes. */
interface Asked {
  readonly providers?: readonly ProviderName[] | undefined;
  readonly pattern?: string | undefined;
  readonly verified?: boolean | undefined;
}

const ruleParams = {
  /** None is no restriction. */
  providers: p.choices(PROVIDERS, { label: providerWords.named }),
  pattern: p.text({ clears: true, placeholder: '.*@example\\.com' }),
  verified: p.maybe(),
};

export async function rulesOf(context: Context): Promise<UserValidation> {
  const request = { organization: context.organization.id };
  return context.api(UserService).getUserValidation(request, { signal: context.signal });
}

const providerNames = (rules: Rules): readonly string[] =>
  rules.allowedSignInProviders.flatMap((allowedSignInProvider) => enumName(Provider, allowedSignInProvider) ?? []);

function after(before: Rules, { providers, pattern, verified }: Asked): UserValidation {
  return create(UserValidationSchema, {
    emailValidationRegex: pattern?.trim() ?? before.emailValidationRegex,
    allowedSignInProviders: providers ? providers.map((name) => Provider[name]) : [...before.allowedSignInProviders],
    requireVerifiedEmailAddresses: verified ?? before.requireVerifiedEmailAddresses,
  });
}

/** Each rule as a plan writes it. */
function textsOf(rules: Rules): Readonly<Record<keyof typeof ruleParams, ValueText>> {
  return {
    providers: providerWords.words(rules.allowedSignInProviders),
    pattern: rules.emailValidationRegex || undefined,
    verified: message(rules.requireVerifiedEmailAddresses ? 'user:rule.verified' : 'user:rule.unverified'),
  };
}

function changesOf(context: Context, before: Rules, next: Rules): readonly Change[] {
  const [was, becomes] = [textsOf(before), textsOf(next)];
  return (Object.keys(ruleParams) as (keyof typeof ruleParams)[])
    .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(becomes[name]))
    .map((name) => ({
      id: name,
      label: context.organization.name,
      field: message(`user:rules.${name}`),
      before: was[name],
      after: becomes[name],
    }));
}

/**
 * Who does not meet the rules, as the server says it; undefined when everybody does. Its answer is empty, so a
 * failure is an error (contract).
 */
async function lockedOut(context: Context, rules: UserValidation): Promise<Message | undefined> {
  const request = {
    organization: context.organization.id,
    validate: { case: 'selection', value: {} } as const,
    customValidation: rules,
  };
  try {
    await context.api(UserService).testUserValidation(request, { signal: context.signal });
    return undefined;
  } catch (error) {
    const { code, message: text } = failureOf(error);
    if (isAbort(error) || code !== 'failed_precondition') throw error;
    return text;
  }
}

/** Tried against every member before it is set: whoever does not meet it can no longer act in the organization. */
export const setSignInRules = command({
  id: 'user.set-sign-in-rules',
  requires: 'MANAGE_USERS',
  effect: 'write',
  params: ruleParams,
  initial: async (context) => {
    const rules = await rulesOf(context);
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
  plan: async (context, asked) => {
    const before = await rulesOf(context);
    const next = after(before, asked);
    const [refused, { pagination }] = await Promise.all([
      lockedOut(context, next),
      loadUsers(context, everyone())({ size: 1 }),
    ]);
    const members = pagination?.total ?? 0;
    return {
      summary: message('user:plan.rules'),
      count: members,
      changes: changesOf(context, before, next),
      notes: [
        refused
          ? message('user:plan.lockedOut', { reason: refused })
          : message('user:plan.nobodyLockedOut', { count: members }),
      ],
      reversible: true,
    };
  },
  run: async (context, asked) => {
    const before = await rulesOf(context);
    const { providers, pattern, verified } = asked;
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
    const changes = changesOf(context, before, after(before, asked));
    return {
      changed: ['user'],
      message: message(changes.length > 0 ? 'user:done.rules' : 'common:done.nothing'),
      data: { before: toJson(UserValidationSchema, before), providers: providerNames(before) },
    };
  },
  inverse: (asked, { data }) => {
    const { before, providers } = data as { before: Partial<Record<keyof Rules, unknown>>; providers: string[] };
    return [
      {
        id: 'user.set-sign-in-rules',
        args: {
          ...(asked.providers ? { providers } : {}),
          ...(asked.pattern === undefined ? {} : { pattern: (before.emailValidationRegex as string) ?? '' }),
          ...(asked.verified === undefined ? {} : { verified: Boolean(before.requireVerifiedEmailAddresses) }),
        },
      },
    ];
  },
});

/**
 * Whether an address, or every member, meets the rules there are or others.
 * @throws ConnectError with who does not, and why
 */
export const testSignInRules = command({
  id: 'user.test-sign-in-rules',
  requires: 'MANAGE_USERS',
  effect: 'read',
  params: { email: p.text({ check: emailProblem }), ...ruleParams },
  positional: ['email'],
  run: async (context, { email, ...asked }) => {
    const rules = after(await rulesOf(context), asked);
    if (email) {
      const request = {
        organization: context.organization.id,
        validate: { case: 'emailAddress', value: email.trim() } as const,
        customValidation: rules,
      };
      await context.api(UserService).testUserValidation(request, { signal: context.signal });
      return { message: message('user:done.meets', { email: email.trim() }) };
    }
    const refused = await lockedOut(context, rules);
    if (refused) throw new CommandError(refused);
    return { message: message('user:done.allMeet') };
  },
});
