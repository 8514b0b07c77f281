import type { DescService } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';

import type { ActingOrganization, Actor } from './actor.ts';
import { CommandError } from './errors.ts';
import type { Capability, HostCapabilities } from './host.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { NamedTarget } from './target.ts';

/**
 * What the web client keeps with the user (contract: CurrentUser, `mission_control_settings`): an object of its own
 * keys, of which others than ours are kept as they are.
 */
export type Preferences = Readonly<Record<string, unknown>>;

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/**
 * The one target of the screen, which every key, button, form and palette entry acts on (see `focus.ts`): the
 * selection, else the item of the open panel, else the active row. Only `entity` is there while there is no target.
 */
export interface Focus {
  readonly entity: string;
  /** The selection; absent while nothing is selected. */
  readonly target?: NamedTarget;
  /** How many are selected. */
  readonly count?: number;
  /** The one item, while nothing is selected. */
  readonly active?: string;
  /** What the target is called: `CFC3 C7B6`, `214 in error`. Absent until it is known. */
  readonly name?: Message;
}

/**
 * All that a command may use. It is made anew for each run, so a command never sees the organization or the abilities
 * change under it.
 */
export interface Context {
  readonly api: <S extends DescService>(service: S) => Client<S>;
  readonly actor: Actor;
  readonly organization: ActingOrganization;
  readonly preferences: Preferences;
  readonly focus: Focus | undefined;
  readonly host: Partial<HostCapabilities>;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly now: () => Date;
  /**
   * Reference data that changes seldom (health levels, tags, lifecycles), kept by the host per organization and dropped
   * when it changes or the organization does. `key` starts with the entity's name. `load` must call with the context
   * that it is given: what it loads is for everyone who asks meanwhile, so it goes on when the one who asked first is
   * aborted.
   */
  readonly cached: <T>(key: string, load: (shared: Context) => Promise<T>) => Promise<T>;
}

/**
 * What `run` gets. The calls of a write cannot be aborted: nobody knows whether the server carried out a call that was
 * broken off, and undo would miss it. Whoever makes several calls looks at `stop` between them.
 */
export interface RunContext extends Context {
  /** Aborted when the run is cancelled. */
  readonly stop: AbortSignal;
}

const NEVER = new AbortController().signal;

/** The context in which a command runs; only what changes nothing can be aborted while a call is under way. */
export function runContext(context: Context, changes: boolean): RunContext {
  return { ...context, signal: changes ? NEVER : context.signal, stop: context.signal };
}

/** The host's capability, which the command must have declared in `needs`. */
export function need<C extends Capability>(context: Context, capability: C): HostCapabilities[C] {
  const held = context.host[capability];
  if (!held) throw new CommandError(message('core:unavailable.host', { capability }));
  return held;
}
