import { message, type Message, type Translate } from '#commands/text/message.ts';

import type { Ability } from './ability.ts';
import type { KindValues } from './arg-value.ts';
import type { Context, RunContext } from './context.ts';
import type { AnyEntity, EntityMetadata } from './entity.ts';
import type { Capability } from './host.ts';
import type { Args, Invocation } from './invocation.ts';
import type { Params, ResolvedOf } from './kinds.ts';
import type { Plan } from './plan.ts';
import type { ItemResult, Outcome } from './result.ts';

/** The effect of a command. `navigate` changes only the user's view. */
export type Effect = 'read' | 'write' | 'destructive' | 'navigate';

export type Resolved<P extends Params> = { readonly [Name in keyof P]: ResolvedOf<P[Name]> };
export type PlainArgs<P extends Params> = { readonly [Name in keyof P]?: KindValues[P[Name]['kind']] };

interface CommonSpec<P extends Params> {
  /** `noun.verb`. Identifies the command in key maps, scripts, the CLI, locale files, and links. */
  readonly id: `${string}.${string}`;
  /** The entity whose screen or panel it belongs to. Absent for a command that works everywhere. */
  readonly on?: () => AnyEntity;
  /** For a command that works everywhere, the entities to exclude because they have their own command for this. */
  readonly notOn?: readonly string[];
  readonly requires?: Ability | readonly Ability[];
  /** Organization features that must all be present. */
  readonly features?: readonly string[];
  /**
   * Affects only the caller, so it stays available in a read-only support session. Implied by a user permission in
   * `requires`.
   */
  readonly affectsOnlyCaller?: boolean;
  /**
   * True if it prepares a change without making it, such as a move in a timeline. A read-only support session blocks it
   * like the change itself.
   */
  readonly preparesChange?: boolean;
  /** Default key sequences, in tinykeys syntax (`t`, `c w`, `Shift+K`, `$mod+k`). */
  readonly keys?: readonly string[];
  /** True if holding the key repeats the command, as when moving the active row. */
  readonly repeats?: boolean;
  readonly needs?: readonly Capability[];
  /**
   * True if it acts on the target without a param for it, as copy and clear do. It is listed with the commands that
   * have one.
   */
  readonly onTarget?: boolean;
  /** True if it asks for its item, instead of taking the one on the screen. */
  readonly choosesItem?: boolean;
  /** True if it acts on rows of the list although it has no param for them. See {@link actsOnRows}. */
  readonly onRows?: boolean;
  /**
   * True if running it may open a prompt. Keystrokes that arrive before the prompt opens are meant for it, and are
   * ignored if it doesn't open.
   */
  readonly mayPrompt?: (context: Context) => boolean;
  /** True to hide it from the palette's list because it is useful only through its key. */
  readonly unlisted?: boolean;
  readonly params?: P;
  /** A single word to write in a command line instead of the noun and verb. */
  readonly word?: string;
  /** At most two, with the target first. All other arguments are written as `--name value`. */
  readonly positional?: readonly (keyof P & string)[];
  /** Arguments of its example in the help that generated ones wouldn't fit. */
  readonly example?: PlainArgs<P>;
  /** Messages with keys built from its id, in addition to {@link commandLabels}. A test checks that they exist. */
  readonly derivedMessages?: readonly Message[];
  /** False for an item that the command wouldn't change. Absent if this depends on the arguments. */
  readonly appliesTo?: (item: unknown) => boolean;
  /**
   * Returns what its key does now, if its title doesn't say so: for example, Enter opens an item while there is nothing
   * to confirm. Null if it does nothing now. Must be cheap and pure, because it is called on every render.
   */
  readonly keyLabel?: (context: Context) => Message | null | undefined;
  /** Returns the reason why it can't run now. Must be cheap and pure, because it is called on every render. */
  readonly blockedReason?: (context: Context) => Message | undefined;
  /**
   * The initial values of a form, given the target. A name in `various` shows 'Various' with an empty value (spec 5).
   */
  readonly initial?: (context: Context, args: Partial<Resolved<P>>) => Promise<InitialValues<P>>;
  /** The params that `initial` needs besides the target, such as the number of the note to edit. */
  readonly initialParams?: readonly (keyof P & string)[];
  /** Messages about invalid combinations of arguments, keyed by param name. */
  readonly problems?: (context: Context, args: Resolved<P>) => Partial<Record<keyof P & string, Message>>;
  /**
   * Returns a line that a form shows next to its button and updates while the user types, such as a number in the
   * chosen format. Must be cheap and pure. The arguments are as typed. Fields without input keep their current values.
   */
  readonly preview?: (args: PlainArgs<P>) => Message | undefined;
  /** For a command without a target whose results are those of the rows of a table. */
  readonly rows?: {
    /** Returns the arguments to run it again for some of its rows, by the ids of their results. */
    readonly pick: (args: Args, ids: readonly string[]) => Args;
    /** Returns the rows that failed as CSV, each with its reason, to be fixed. */
    readonly toFix: (args: Args, failures: readonly ItemResult[], translate: Translate) => string;
    /** True if running it again for a row doesn't repeat a change that the first run may have made. */
    readonly isRepeatable: boolean;
  };
  /** For a command that can change many items in one call even if each gets different values. */
  readonly together?: {
    /** Items with different keys, such as those of different organizations, can't share a call. */
    readonly key: (item: unknown) => string;
    /**
     * Runs it for several arguments in one call, with an outcome for each. Throws if the server rejects any of them,
     * and has then changed nothing. The caller limits the number of items.
     */
    readonly run: (context: RunContext, argsOfRuns: readonly Resolved<P>[]) => Promise<readonly Outcome[]>;
  };
  readonly run: (context: RunContext, args: Resolved<P>) => Promise<Outcome>;
}

/** A command that changes something must have a plan. */
interface ChangingSpec<P extends Params> {
  readonly effect: 'write' | 'destructive';
  readonly plan: (context: Context, args: Resolved<P>) => Promise<Plan>;
  /**
   * Returns a plan based only on counts, for a target that is a filter. It is shown while thousands of items are still
   * being looked up. `args` doesn't contain the target. Undefined if counts aren't enough.
   */
  readonly outline?: (context: Context, args: Partial<Resolved<P>>, query: string) => Promise<Plan | undefined>;
  /**
   * Returns the commands that undo it. Absent if the plan is irreversible. A staged run also asks for them before it
   * starts, with an outcome without data in which every item succeeds, to undo what was done if the page crashes.
   */
  readonly inverse?: (args: Resolved<P>, outcome: Outcome, plainArgs: PlainArgs<P>) => readonly Invocation[];
}

interface ReadOnlySpec {
  readonly effect: 'read' | 'navigate';
  readonly plan?: never;
  readonly outline?: never;
  readonly inverse?: never;
}

export type CommandSpec<P extends Params> = CommonSpec<P> & (ChangingSpec<P> | ReadOnlySpec);

export interface InitialValues<P extends Params = Params> {
  readonly values: PlainArgs<P>;
  readonly various?: readonly (keyof P & string)[];
}

/**
 * The part of a command that is available before its noun has loaded (`registry/manifest.ts`). It is enough to handle
 * the command's keys and to show it as a button or in lists. `blockedReason` and `keyLabel` are absent until the noun
 * has loaded.
 */
export interface CommandMetadata extends Pick<
  CommonSpec<Params>,
  | 'id'
  | 'notOn'
  | 'features'
  | 'affectsOnlyCaller'
  | 'preparesChange'
  | 'keys'
  | 'repeats'
  | 'needs'
  | 'onTarget'
  | 'onRows'
  | 'unlisted'
  | 'blockedReason'
  | 'keyLabel'
> {
  readonly effect: Effect;
  readonly noun: string;
  readonly verb: string;
  readonly requires: readonly Ability[];
  readonly on?: () => EntityMetadata;
  /** The param that a selection fills. */
  readonly target?: { readonly name: string; readonly entity: () => EntityMetadata };
}

/** A declared command with its types erased, as returned by the registry. */
export interface Command
  extends
    CommandMetadata,
    Pick<
      CommonSpec<Params>,
      'mayPrompt' | 'appliesTo' | 'derivedMessages' | 'word' | 'example' | 'choosesItem' | 'rows'
    > {
  readonly on?: () => AnyEntity;
  readonly target?: { readonly name: string; readonly entity: () => AnyEntity };
  readonly params: Params;
  readonly positional: readonly string[];
  readonly initial?: (context: Context, args: ResolvedArgs) => Promise<InitialValues>;
  readonly initialParams?: readonly string[];
  readonly problems?: (context: Context, args: ResolvedArgs) => Partial<Record<string, Message>>;
  readonly preview?: (args: Args) => Message | undefined;
  readonly plan?: (context: Context, args: ResolvedArgs) => Promise<Plan>;
  readonly outline?: (context: Context, args: ResolvedArgs, query: string) => Promise<Plan | undefined>;
  readonly together?: {
    readonly key: (item: unknown) => string;
    readonly run: (context: RunContext, argsOfRuns: readonly ResolvedArgs[]) => Promise<readonly Outcome[]>;
  };
  readonly run: (context: RunContext, args: ResolvedArgs) => Promise<Outcome>;
  readonly inverse?: (args: ResolvedArgs, outcome: Outcome, plainArgs: Args) => readonly Invocation[];
}

export type ResolvedArgs = Readonly<Record<string, unknown>>;

/** Declares a command. The types of `plan` and `run` follow from `params`. */
export function command<const P extends Params = Record<never, never>>(spec: CommandSpec<P>): Command {
  const [noun, verb] = spec.id.split('.') as [string, string];
  const { requires = [], positional = [], params = {}, ...properties } = spec;
  return {
    ...properties,
    noun,
    verb,
    requires: typeof requires === 'string' ? [requires] : requires,
    params,
    positional,
    ...targetOf(params),
  } as unknown as Command;
}

function targetOf(params: Params): Pick<Command, 'target'> {
  for (const [name, param] of Object.entries(params)) {
    if (param.kind === 'many') return { target: { name, entity: param.entity } };
  }
  return {};
}

/** Keys of a command's strings in its noun's `en.json`. */
export const commandLabels = {
  /**
   * The title for `count` items. It is singular without a target, as in lists of commands. `titleFor` counts the
   * target.
   */
  title: (command: CommandMetadata, count = 1): Message =>
    message(`${command.noun}:commands.${command.verb}.title`, { count }),
  /** One sentence that explains what the command does. */
  about: (command: CommandMetadata): Message => message(`${command.noun}:commands.${command.verb}.about`),
  /** The title in the CLI, which has no screens. */
  terminal: (command: CommandMetadata): Message => message(`${command.noun}:commands.${command.verb}.terminal`),
  param: (command: CommandMetadata, name: string): Message =>
    message(`${command.noun}:commands.${command.verb}.params.${name}`),
};

/** Returns the name and entity of the param that a selection fills, if any. */
export function targetParam(command: Command): { readonly name: string; readonly entity: AnyEntity } | undefined;
export function targetParam(
  command: CommandMetadata,
): { readonly name: string; readonly entity: EntityMetadata } | undefined;
export function targetParam({
  target,
}: CommandMetadata): { readonly name: string; readonly entity: EntityMetadata } | undefined {
  return target && { name: target.name, entity: target.entity() };
}

/**
 * True for a command that changes what the user sees. Commands that run others, such as undo, take as long as those do,
 * and change the view only through them.
 */
export function changesView({ effect, needs = [] }: CommandMetadata): boolean {
  return effect === 'navigate' && !needs.includes('history') && !needs.includes('work');
}

/**
 * True if a command acts on the visible rows. While a list is loading, a key for such a command waits for its rows.
 */
export function actsOnRows(command: CommandMetadata): boolean {
  return command.onRows === true || command.onTarget === true || command.target !== undefined;
}
