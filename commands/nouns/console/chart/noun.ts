import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import type { ChartHost } from '#commands/model/screen-hosts.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { message } from '#commands/text/message.ts';

import { PRESETS } from './presets.ts';

interface ChartMove {
  readonly verb: string;
  readonly keys?: readonly string[];
  readonly act: (chart: ChartHost) => void;
}

/** Declares a command that changes what the chart shows. Holding its key repeats it. */
function chartMove({ verb, keys = [], act }: ChartMove): Command {
  return command({
    id: `chart.${verb}`,
    effect: 'navigate',
    needs: ['chart'],
    keys,
    repeats: true,
    run: async (context) => {
      act(requireCapability(context, 'chart'));
      return {};
    },
  });
}

const chooseRange = command({
  id: 'chart.range',
  effect: 'navigate',
  needs: ['chart'],
  keys: ['i'],
  params: { range: required(p.range({ local: true })) },
  positional: ['range'],
  run: async (context, { range }) => {
    requireCapability(context, 'chart').setRange(range);
    return {};
  },
});

const copyValues = command({
  id: 'chart.copy',
  effect: 'read',
  needs: ['chart', 'clipboard'],
  run: async (context) => {
    const text = requireCapability(context, 'chart').copyText();
    const isCopied = await requireCapability(context, 'clipboard').write(text);
    const count = (await text).split('\n').length - 1;
    return isCopied ? { message: message('chart:done.copied', { count }) } : {};
  },
});

const downloadValues = command({
  id: 'chart.download',
  effect: 'read',
  needs: ['chart'],
  run: async (context) => {
    const count = await requireCapability(context, 'chart').download(context.signal);
    return { message: message('chart:done.downloaded', { count }) };
  },
});

/** Commands of the values chart, available while the console shows one. */
export const noun: Noun = {
  commands: [
    chartMove({ verb: 'next-value', keys: ['ArrowRight'], act: (chart) => chart.step(1) }),
    chartMove({ verb: 'previous-value', keys: ['ArrowLeft'], act: (chart) => chart.step(-1) }),
    chartMove({ verb: 'next-ten', keys: ['Shift+ArrowRight'], act: (chart) => chart.step(10) }),
    chartMove({ verb: 'previous-ten', keys: ['Shift+ArrowLeft'], act: (chart) => chart.step(-10) }),
    chartMove({ verb: 'zoom-in', keys: ['+'], act: (chart) => chart.zoom(1) }),
    chartMove({ verb: 'zoom-out', keys: ['-'], act: (chart) => chart.zoom(-1) }),
    chartMove({ verb: 'reset', keys: ['='], act: (chart) => chart.reset() }),
    // Not the letter M, which assigns the item of the chart.
    chartMove({ verb: 'mark', keys: [','], act: (chart) => chart.mark() }),
    chooseRange,
    ...Object.entries(PRESETS).map(([verb, range]) => chartMove({ verb, act: (chart) => chart.setRange(range) })),
    chartMove({ verb: 'table', keys: ['n'], act: (chart) => chart.toggleTable() }),
    copyValues,
    downloadValues,
  ],
};
