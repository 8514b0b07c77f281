import type { DescService } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';

import { message, type Message } from '#commands/text/message.ts';

import type { CurrentOrganization, Actor } from './actor.ts';
import { CommandError } from './errors.ts';
import type { Capability, HostCapabilities } from './host.ts';
import type { Invocation } from './invocation.ts';
import type { ItemResult } from './result.ts';
import type { NamedTarget } from './target.ts';

/**
 * The web client's settings in the user's account (contract: CurrentUser, `mission_control_settings`). Keys that are
 * not ours are left unchanged.
 */
export type Preferences = Readonly<Record<string, unknown>>;

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/**
 * The screen's single target, shared by every key, button, form, and palette entry (see `focus.ts`). It is the
 * selection, or else the item in the open panel, or else the active row. If there is no target, only `entity` is set.
 */
export interface Focus {
  readonly entity: string;
  /** The selection. Absent if nothing is selected. */
  readonly target?: NamedTarget;
  /** The number of selected items. */
  readonly count?: number;
  /** The single active item. Absent while there is a selection. */
  readonly active?: string;
  /** The display name of the target: `CFC3 C7B6`, `214 in error`. Absent until it is known. */
  readonly name?: Message;
}

/**
 * Everything that a command may use. Each run has its own context, so the organization and the abilities never change
 * during a run.
 */
export interface Context {
  readonly api: <S extends DescService>(service: S) => Client<S>;
  readonly actor: Actor;
  readonly organization: CurrentOrganization;
  readonly preferences: Preferences;
  readonly focus: Focus | undefined;
  readonly host: Partial<HostCapabilities>;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly now: () => Date;
  /**
   * Loads reference data that rarely changes (health levels, tags, lifecycles). The host caches it per organization
   * until the data or the organization changes. `key` starts with the entity's name. `load` must use the context that
   * it receives. Concurrent callers share one load, so it must not stop when the first caller aborts.
   */
  readonly loadCached: <T>(key: string, load: (shared: Context) => Promise<T>) => Promise<T>;
}

/**
 * The context of `run`. A write command's calls can't be aborted, because the outcome of an aborted call is unknown
 * and undo would miss it. A command with several calls checks `stop` between them.
 */
export interface RunContext extends Context {
  /** Aborted when the run is canceled. */
  readonly stop: AbortSignal;
  /** True if a change of many items starts with a few, and stops if too many fail (`run/stages.ts`). */
  readonly staged?: boolean;
  readonly monitor?: CallMonitor;
}

/** Follows a change of many items call by call, so the run can be paused, and continued after a crash. */
export interface CallMonitor {
  /** Resolves when the next call may start. Waits while the run is paused, until it continues or is canceled. */
  ready(): Promise<void>;
  /**
   * Called before a call with the ids of its items. The call starts when the promise resolves. `inverse` has the
   * commands that undo the call, if they weren't known before the run.
   */
  begin?(ids: readonly string[], inverse?: readonly Invocation[]): Promise<void>;
  /** Called after a call with the results of its items, and with the commands that undo what it did. */
  end?(results: readonly ItemResult[], inverse?: readonly Invocation[]): Promise<void>;
}

type RunOptions = Pick<RunContext, 'staged' | 'monitor'>;

const NEVER = new AbortController().signal;

/** Returns the context that a command runs in. Only a command that changes nothing can be aborted during a call. */
export function runContext(context: Context, isChange: boolean, options: RunOptions = {}): RunContext {
  return { ...context, ...options, signal: isChange ? NEVER : context.signal, stop: context.signal };
}

/** Returns a capability of the host, which the command must have declared in `needs`. */
export function requireCapability<C extends Capability>(context: Context, capability: C): HostCapabilities[C] {
  const value = context.host[capability];
  if (!value) throw new CommandError(message('core:unavailable.host', { capability }));
  return value;
}
