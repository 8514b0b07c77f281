import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import type { TimelineHost } from '#commands/model/screen-hosts.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { message, type Message } from '#commands/text/message.ts';

interface TimelineAction {
  readonly verb: string;
  readonly keys: readonly string[];
  readonly repeats?: boolean;
  readonly requires?: Ability;
  readonly preparesChange?: boolean;
  readonly blockedReason?: (timeline: TimelineHost) => Message | undefined;
  /** What the key does while no move is planned. Null if it does nothing. */
  readonly idleLabel?: (context: Context) => Message | null;
  readonly act: (timeline: TimelineHost, context: Context) => void;
}

function timelineCommand({
  verb,
  keys,
  repeats = false,
  requires,
  preparesChange = false,
  blockedReason,
  idleLabel,
  act,
}: TimelineAction): Command {
  return command({
    id: `timeline.${verb}`,
    ...(requires ? { requires } : {}),
    effect: 'read',
    preparesChange,
    needs: ['timeline'],
    keys,
    repeats,
    onRows: true,
    unlisted: true,
    ...(blockedReason
      ? { blockedReason: ({ host: { timeline } }: Context) => timeline && blockedReason(timeline) }
      : {}),
    ...(idleLabel
      ? { keyLabel: (context: Context) => (context.host.timeline?.isMoving ? undefined : idleLabel(context)) }
      : {}),
    run: async (context) => {
      act(requireCapability(context, 'timeline'), context);
      return {};
    },
  });
}

/** Commands that move in a timeline, and plan a new start of a bar. */
const commands: readonly Command[] = [
  timelineCommand({ verb: 'next-device', keys: ['j', 'ArrowDown'], repeats: true, act: (line) => line.moveRow(1) }),
  timelineCommand({ verb: 'previous-device', keys: ['k', 'ArrowUp'], repeats: true, act: (line) => line.moveRow(-1) }),
  timelineCommand({ verb: 'first-device', keys: ['g g', 'Home'], act: (line) => line.moveToEdge('first') }),
  timelineCommand({ verb: 'last-device', keys: ['Shift+G', 'End'], act: (line) => line.moveToEdge('last') }),
  timelineCommand({
    verb: 'next-bar',
    keys: ['ArrowRight'],
    repeats: true,
    act: (line) => line.moveBar(1),
  }),
  timelineCommand({ verb: 'previous-bar', keys: ['ArrowLeft'], repeats: true, act: (line) => line.moveBar(-1) }),
  timelineCommand({
    verb: 'start-earlier',
    keys: ['Shift+ArrowLeft'],
    repeats: true,
    requires: 'ASSIGNMENTS',
    preparesChange: true,
    act: (line) => line.moveStart(-1),
  }),
  timelineCommand({
    verb: 'start-later',
    keys: ['Shift+ArrowRight'],
    repeats: true,
    requires: 'ASSIGNMENTS',
    preparesChange: true,
    act: (line) => line.moveStart(1),
  }),
  timelineCommand({ verb: 'zoom-in', keys: ['+'], repeats: true, act: (line) => line.zoom(1) }),
  timelineCommand({ verb: 'zoom-out', keys: ['-'], repeats: true, act: (line) => line.zoom(-1) }),
  timelineCommand({ verb: 'reset-zoom', keys: ['0'], act: (line) => line.resetZoom() }),
  timelineCommand({
    verb: 'solve-conflict',
    keys: ['!'],
    preparesChange: true,
    blockedReason: ({ solve }) => (solve ? undefined : message('timeline:noConflict')),
    act: ({ solve }) => solve?.(),
  }),
  timelineCommand({
    verb: 'confirm-move',
    keys: ['Enter'],
    blockedReason: ({ problem }) => problem,
    idleLabel: () => message('timeline:openDevice'),
    act: (line) => line.confirm(),
  }),
  timelineCommand({
    verb: 'discard-move',
    keys: ['Escape'],
    idleLabel: ({ host: { panel } }) => (panel?.isOpen() ? message('timeline:closePanel') : null),
    act: (line, { host: { panel } }) => void (line.discard() || panel?.back()),
  }),
];

export const noun: Noun = { commands };
