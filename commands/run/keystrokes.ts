import type { CommandMetadata } from '#commands/model/command.ts';
import type { Capability } from '#commands/model/host.ts';

/**
 * The parts of the page with keys of their own. A screen has one of the others, which a chart can cover, and a form is
 * next to it.
 */
const VIEWS: readonly Capability[] = ['chart', 'table', 'timeline', 'bench', 'focusedForm'];

/**
 * True if a key could run both commands: they belong to the same entity, or one works everywhere, including on the
 * other's entity. Commands for different views can share keys because the topmost view takes the key.
 */
export function canShareKeystroke(a: CommandMetadata, b: CommandMetadata): boolean {
  const viewOf = ({ needs = [] }: CommandMetadata): Capability | undefined =>
    VIEWS.find((view) => needs.includes(view));
  const [firstView, secondView] = [viewOf(a), viewOf(b)];
  if (firstView && secondView && firstView !== secondView) return false;
  const [first, second] = [a.on?.().name, b.on?.().name];
  if (first !== undefined && second !== undefined) return first === second;
  return !(first !== undefined && b.notOn?.includes(first)) && !(second !== undefined && a.notOn?.includes(second));
}
