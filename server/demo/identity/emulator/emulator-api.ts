import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

import { clientOperations, serverOperations } from '#server/identity/operations.ts';

// The parts of the Firebase auth emulator that we use. All of them are internal to firebase-tools, so package.json pins
// that package to an exact version.

/** A second factor as the emulator stores it. The emulator stores authenticator apps, but doesn't support them. */
export interface Enrollment {
  readonly mfaEnrollmentId: string;
  readonly displayName?: string;
  /** ISO 8601. */
  readonly enrolledAt: string;
  readonly phoneInfo?: string;
  readonly unobfuscatedPhoneInfo?: string;
  readonly totpInfo?: object;
  /** In base 32. Never included in a response. */
  readonly totpSecret?: string;
  /** The time step of the last accepted code. */
  totpStep?: number;
}

/** An account as the emulator stores it. It has more fields, which we do not use. */
export interface EmulatorUser {
  readonly localId: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly displayName?: string;
  readonly disabled?: boolean;
  readonly passwordHash?: string;
  readonly salt?: string;
  /** Milliseconds since the epoch. */
  readonly passwordUpdatedAt?: number;
  /** Milliseconds since the epoch, in decimal. */
  readonly lastLoginAt?: string;
  /** Seconds since the epoch, in decimal. Tokens issued earlier are rejected. */
  readonly validSince?: string;
  readonly mfaInfo?: Enrollment[];
  readonly providerUserInfo?: { providerId: string; rawId: string; email?: string; displayName?: string }[];
}

export interface OneTimeCode {
  readonly email: string;
  readonly newEmail: string | undefined;
  readonly requestType: string;
  readonly oobCode: string;
  readonly oobLink: string;
}

export interface VerificationCode {
  readonly code: string;
  readonly phoneNumber: string;
  readonly sessionInfo: string;
}

export interface SecondFactorClaim {
  readonly identifier: string;
  readonly provider: 'totp' | 'phone';
}

/** The accounts and pending codes of a project. */
export interface ProjectState {
  readonly projectId: string;
  readonly oobs: Map<string, OneTimeCode>;
  readonly verificationCodes: Map<string, VerificationCode>;
  enableImprovedEmailPrivacy: boolean;
  overwriteUserWithLocalId(localId: string, user: EmulatorUser): EmulatorUser;
  updateUserByLocalId(localId: string, fields: Partial<EmulatorUser>): EmulatorUser;
  getUserByLocalId(localId: string): EmulatorUser | undefined;
  getUserByEmail(email: string): EmulatorUser | undefined;
  queryUsers(filter: object, order: { sortByField: 'localId'; order: 'ASC' }): EmulatorUser[];
  listProviderInfosByProviderId(provider: string): { rawId: string; email?: string; displayName?: string }[];
  validateMfaEnrollments(enrollments: Enrollment[]): Enrollment[];
  validateOobCode(code: string): OneTimeCode | undefined;
  createRefreshTokenFor(user: EmulatorUser, provider: string, claims: { secondFactor?: SecondFactorClaim }): string;
}

/** The body of a request or response, as JSON. Each operation reads its own fields. */
export type Json = Readonly<Record<string, unknown>>;

/** The context of an operation apart from its body. */
export interface OperationContext {
  readonly req?: { headers: Readonly<Record<string, string | string[] | undefined>> };
}

/** Returns the response, or throws an EmulatorError with a message that the SDK turns into an error code. */
export type Operation = (state: ProjectState, body: Json, context: OperationContext) => Json | Promise<Json>;

/** The operations by their names in the API description. Replace operations before calling `createApp`. */
export interface Operations {
  readonly identitytoolkit: {
    getPasswordPolicy?: Operation;
    getRecaptchaConfig?: Operation;
    accounts: {
      lookup: Operation;
      resetPassword: Operation;
      sendOobCode: Operation;
      signInWithIdp: Operation;
      signInWithPassword: Operation;
      signUp: Operation;
      update: Operation;
      mfaEnrollment: { start: Operation; finalize: Operation };
      mfaSignIn: { start: Operation; finalize: Operation };
    };
    projects: { accounts: { batchCreate: Operation } };
  };
  readonly securetoken: { token: Operation };
}

export interface EmulatorModules {
  readonly operations: Operations;
  /** Sent as status 400 with this message. */
  readonly EmulatorError: new (message: string) => Error;
  readonly AgentProjectState: new (project: string) => ProjectState;
  /**
   * Creates the emulator's request handler.
   *
   * @param states the state of each project by its id
   */
  createApp(states: Map<string, ProjectState>): Promise<RequestListener>;
}

/** A path of the API description. Besides these fields, it has one for each of its methods. */
interface ApiPath extends Readonly<Record<string, unknown>> {
  readonly parameters: readonly object[];
  readonly post?: ApiMethod;
}

interface ApiMethod {
  readonly responses: object;
}

/** A response with any content. */
const ANY_RESPONSE = { description: 'Successful response', content: { '*/*': {} } };

/**
 * Leaves out what the emulator compiles but doesn't need: validators of Google's common parameters, such as `alt`,
 * which it ignores, and of its own responses. Compiling each of them takes about 10 ms.
 */
const essentials = (path: ApiPath): ApiPath => ({
  ...path,
  parameters: [],
  ...(path.post === undefined ? {} : { post: { ...path.post, responses: { 200: ANY_RESPONSE } } }),
});

/**
 * Loads the auth emulator without the rest of the emulator suite, so it needs no Java, UI, or second listener. Takes
 * about a second.
 */
export function loadEmulator(project: string): EmulatorModules {
  const load = createRequire(import.meta.url);
  const loadModule = (module: string): unknown => load(`firebase-tools/lib/emulator/auth/${module}`);
  const { authOperations } = loadModule('operations') as { authOperations: Operations };
  const { AgentProjectState } = loadModule('state') as Pick<EmulatorModules, 'AgentProjectState'>;
  const { BadRequestError } = loadModule('errors') as { BadRequestError: EmulatorModules['EmulatorError'] };
  return {
    operations: authOperations,
    EmulatorError: BadRequestError,
    AgentProjectState,
    createApp(states) {
      const { default: api } = loadModule('apiSpec') as { default: { paths: Record<string, ApiPath> } };
      const usedPaths: ReadonlySet<string> = new Set(
        [...clientOperations, ...serverOperations].map(([, , path]) => path),
      );
      // The unused paths would triple the startup time, and some of them list accounts or show codes.
      api.paths = Object.fromEntries(
        Object.entries(api.paths).flatMap(([path, item]) => (usedPaths.has(path) ? [[path, essentials(item)]] : [])),
      );
      const { createApp } = loadModule('server') as {
        createApp: (project: string, mode: undefined, states: Map<string, ProjectState>) => Promise<RequestListener>;
      };
      return createApp(project, undefined, states);
    },
  };
}
