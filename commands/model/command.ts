import type { Ability } from './ability.ts';
import type { Context, RunContext } from './context.ts';
import type { AnyEntity } from './entity.ts';
import type { Capability } from './host.ts';
import type { Args, Invocation } from './invocation.ts';
import type { KindValues } from './arg-value.ts';
import type { Params, ResolvedOf } from './kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Plan } from './plan.ts';
import type { Outcome } from './result.ts';

/** Whether and how the world changes: `navigate` changes only what the person sees. */
export type Effect = 'read' | 'write' | 'destructive' | 'navigate';

export type Resolved<P extends Params> = { readonly [Name in keyof P]: ResolvedOf<P[Name]> };
export type GivenArgs<P extends Params> = { readonly [Name in keyof P]?: KindValues[P[Name]['kind']] };

interface Declared<P extends Params> {
  /** `noun.verb`: key-map entry, script word, CLI words, locale key and deep link. */
  readonly id: `${string}.${string}`;
  /** The entity whose screen or panel it belongs to; absent for what works everywhere. */
  readonly on?: () => AnyEntity;
  /** Entities it stays away from, for what otherwise works everywhere: they have a command of their own for it. */
  readonly notOn?: readonly string[];
  readonly requires?: Ability | readonly Ability[];
  /** Organization features that must all be present. */
  readonly features?: readonly string[];
  /**
   * Changes nothing of the organization, so that it runs also while support staff may only read. What asks for a user
   * permission is so anyway.
   */
  readonly own?: boolean;
  /** Default key sequences, as tinykeys writes them (`t`, `c w`, `Shift+K`, `$mod+k`). */
  readonly keys?: readonly string[];
  /** True for a key that may act again while it is held (moving the active row). */
  readonly repeats?: boolean;
  readonly needs?: readonly Capability[];
  /**
   * Acts on the target without a param for it: copies it, clears it. It is offered beside the commands that have one.
   */
  readonly onTarget?: boolean;
  /** Acts on rows of the list without a param for them. See {@link actsOnRows}. */
  readonly onRows?: boolean;
  /**
   * Whether running it may open another question: what is pressed meanwhile is for that, and means nothing where it
   * does not come.
   */
  readonly asks?: (context: Context) => boolean;
  /** Kept out of the palette's list: moves that only make sense as a key. */
  readonly quiet?: boolean;
  readonly params?: P;
  /** At most two, the target first; the others are `--name value`. */
  readonly positional?: readonly (keyof P & string)[];
  /** A reason why it cannot run here and now; cheap and pure, called on every render. */
  readonly blocked?: (context: Context) => Message | undefined;
  /**
   * What a form starts with, given the target: current values; a name in `various` shows 'Various' with an empty
   * value (spec 5).
   */
  readonly initial?: (context: Context, args: Partial<Resolved<P>>) => Promise<Initial<P>>;
  /** Sentences about arguments that only make sense together, by param name. */
  readonly problems?: (context: Context, args: Resolved<P>) => Partial<Record<keyof P & string, Message>>;
  readonly run: (context: RunContext, args: Resolved<P>) => Promise<Outcome>;
}

/** What changes something says beforehand what it would change. */
interface Changing<P extends Params> {
  readonly effect: 'write' | 'destructive';
  readonly plan: (context: Context, args: Resolved<P>) => Promise<Plan>;
  /**
   * The plan from counts alone, for a target that is a filter: it is on the screen while thousands of items are still
   * looked up. `args` lacks the target. Undefined where counts do not tell.
   */
  readonly outline?: (context: Context, args: Partial<Resolved<P>>, query: string) => Promise<Plan | undefined>;
  /** The commands that undo it, from what was asked and what happened; absent = irreversible, and the plan says so. */
  readonly inverse?: (args: Resolved<P>, outcome: Outcome, given: GivenArgs<P>) => readonly Invocation[];
}

interface Harmless {
  readonly effect: 'read' | 'navigate';
  readonly plan?: never;
  readonly outline?: never;
  readonly inverse?: never;
}

export type CommandSpec<P extends Params> = Declared<P> & (Changing<P> | Harmless);

export interface Initial<P extends Params = Params> {
  readonly values: GivenArgs<P>;
  readonly various?: readonly (keyof P & string)[];
}

/** A declared command with its types erased: what every reader of the registry works with. */
export interface Command extends Omit<
  Declared<Params>,
  'params' | 'positional' | 'initial' | 'problems' | 'run' | 'requires'
> {
  readonly effect: Effect;
  readonly noun: string;
  readonly verb: string;
  readonly requires: readonly Ability[];
  readonly params: Params;
  readonly positional: readonly string[];
  readonly initial?: (context: Context, args: ResolvedArgs) => Promise<Initial>;
  readonly problems?: (context: Context, args: ResolvedArgs) => Partial<Record<string, Message>>;
  readonly plan?: (context: Context, args: ResolvedArgs) => Promise<Plan>;
  readonly outline?: (context: Context, args: ResolvedArgs, query: string) => Promise<Plan | undefined>;
  readonly run: (context: RunContext, args: ResolvedArgs) => Promise<Outcome>;
  readonly inverse?: (args: ResolvedArgs, outcome: Outcome, given: Args) => readonly Invocation[];
}

export type ResolvedArgs = Readonly<Record<string, unknown>>;

/** Declares a command. The types of `plan` and `run` follow from `params`. */
export function command<const P extends Params = Record<never, never>>(spec: CommandSpec<P>): Command {
  const [noun, verb] = spec.id.split('.') as [string, string];
  const { requires = [], positional = [], params, ...rest } = spec;
  return {
    ...rest,
    noun,
    verb,
    requires: typeof requires === 'string' ? [requires] : requires,
    params: params ?? {},
    positional,
  } as unknown as Command;
}

/** Where the texts of a command are: `en.json` beside the noun. */
export const texts = {
  /** For that many items; of one where there is no target, as in lists of commands. `titleFor` counts the target. */
  title: (command: Command, count = 1): Message => message(`${command.noun}:commands.${command.verb}.title`, { count }),
  /** One sentence: what it does, for whoever reads about it before running it. */
  about: (command: Command): Message => message(`${command.noun}:commands.${command.verb}.about`),
  /** Its title where there are no screens to go to. */
  terminal: (command: Command): Message => message(`${command.noun}:commands.${command.verb}.terminal`),
  param: (command: Command, name: string): Message =>
    message(`${command.noun}:commands.${command.verb}.params.${name}`),
};

/** The entity and the name of the param that a selection fills, if the command has one. */
export function targetParam(command: Command): { name: string; entity: AnyEntity } | undefined {
  for (const [name, param] of Object.entries(command.params)) {
    if (param.kind === 'many') return { name, entity: param.entity() };
  }
  return undefined;
}

/**
 * Whether it means rows that somebody looks at: pressed while another list is on its way, it waits for the rows of
 * that.
 */
export function actsOnRows(command: Command): boolean {
  return command.onRows === true || command.onTarget === true || targetParam(command) !== undefined;
}
