// What we use of the Firebase auth emulator. All of it is internal to firebase-tools, which is why package.json pins
// that package to an exact version.
import { createRequire } from 'node:module';
import type { RequestListener } from 'node:http';
import { clientOperations, serverOperations } from '#server/identity/operations.ts';

/** A second factor as the emulator keeps it; those by app are ours, and the emulator only stores them. */
export interface Enrollment {
  readonly mfaEnrollmentId: string;
  readonly displayName?: string;
  /** ISO 8601. */
  readonly enrolledAt: string;
  readonly phoneInfo?: string;
  readonly unobfuscatedPhoneInfo?: string;
  readonly totpInfo?: object;
  /** Base 32; never in an answer. */
  readonly totpSecret?: string;
  /** Step of the last code that was accepted. */
  totpStep?: number;
}

/**
 * An account as the emulator keeps it, and as it is kept between two runs. What is not named here is its own
 * business.
 */
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
  /** Seconds since the epoch, in decimal: tokens issued before are refused. */
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

/** The accounts and open codes of one project. */
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
  createRefreshTokenFor(user: EmulatorUser, provider: string, more: { secondFactor?: SecondFactorClaim }): string;
}

/** Bodies of requests and answers, as JSON; each operation looks at the fields that are its own. */
export type Json = Readonly<Record<string, unknown>>;

/** What an operation is told besides its body. */
export interface OperationContext {
  readonly req?: { headers: Readonly<Record<string, string | string[] | undefined>> };
}

/** Answers, or throws an EmulatorError whose message the SDK turns into a code. */
export type Operation = (state: ProjectState, body: Json, context: OperationContext) => Json | Promise<Json>;

/** The operations by the names of the API description; the app calls whatever stands here when it is made. */
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
  /** Answered with status 400 and this message. */
  readonly EmulatorError: new (message: string) => Error;
  readonly AgentProjectState: new (project: string) => ProjectState;
  /** @param states the state of each project by its id */
  createApp(states: Map<string, ProjectState>): Promise<RequestListener>;
}

/** Loads the emulator, without the rest of the emulator suite: no Java, no UI, no second listener. Takes about 2 s. */
export function loadEmulator(project: string): EmulatorModules {
  const load = createRequire(import.meta.url);
  const from = (module: string): unknown => load(`firebase-tools/lib/emulator/auth/${module}`);
  const { authOperations } = from('operations') as { authOperations: Operations };
  const { AgentProjectState } = from('state') as Pick<EmulatorModules, 'AgentProjectState'>;
  const { BadRequestError } = from('errors') as { BadRequestError: EmulatorModules['EmulatorError'] };
  return {
    operations: authOperations,
    EmulatorError: BadRequestError,
    AgentProjectState,
    createApp(states) {
      const { default: api } = from('apiSpec') as { default: { paths: object } };
      // The others would triple the time it takes to start, and could list accounts and read out codes.
      const used: ReadonlySet<string> = new Set([...clientOperations, ...serverOperations].map(([, , path]) => path));
      api.paths = Object.fromEntries(Object.entries(api.paths).filter(([path]) => used.has(path)));
      const { createApp } = from('server') as {
        createApp: (project: string, mode: undefined, states: Map<string, ProjectState>) => Promise<RequestListener>;
      };
      return createApp(project, undefined, states);
    },
  };
}
