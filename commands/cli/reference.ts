import { argumentForm, describeArgument, printUsage } from '#commands/line/usage.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Translate } from '#commands/text/message.ts';

import { runsInTerminal } from './terminal-commands.ts';

/** Returns the Markdown of `docs/commands.md`: every command that a line can run, generated from the declarations. */
export function reference(registry: Registry, translate: Translate): string {
  const commands = registry.commands.filter(runsInTerminal);
  const nouns = [...new Set(commands.map(({ noun }) => noun))];
  return [
    '# Commands',
    'Generated from the registry; `npx vitest run commands/cli/reference.test.ts -u` updates it.',
    'The same lines run in the palette, in scripts, and in a terminal as `npx quarterdeck …`.',
    nouns.map((noun) => `[${noun}](#${noun})`).join(' · '),
    ...nouns.flatMap((noun) => [
      `## ${noun}`,
      ...commands
        .filter((command) => command.noun === noun)
        .flatMap((command) => section(command, registry, translate)),
    ]),
    '',
  ].join('\n\n');
}

function section(command: Command, registry: Registry, translate: Translate): readonly string[] {
  const details = [
    ...(command.keys ?? []).map((keys) => `key \`${keys}\``),
    ...command.requires.map((ability) => `needs ${ability}`),
    ...(command.inverse ? ['can be undone'] : []),
    ...(command.effect === 'destructive' ? ["can't be undone"] : []),
  ];
  const params = Object.entries(command.params);
  return [
    `### ${translate(commandLabels.title(command))}`,
    translate(commandLabels.about(command)),
    `\`\`\`\n${printUsage(command, registry)}\n\`\`\``,
    ...(details.length > 0 ? [details.join(' · ')] : []),
    ...(params.length > 0
      ? [
          [
            '| Argument | Description |',
            '| --- | --- |',
            ...params.map(
              ([name, param]) =>
                `| \`${argumentForm(command, name, param)}\` | ${cell(describeArgument(command, name, param, translate))} |`,
            ),
          ].join('\n'),
        ]
      : []),
  ];
}

/** Escapes text for a table cell, so Markdown doesn't interpret it as columns or HTML. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
