import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { BenchHost } from '#commands/model/screen-hosts.ts';
import type { Noun } from '#commands/registry/registry.ts';

function benchCommand(verb: string, keys: string, act: (bench: BenchHost) => void): Command {
  return command({
    id: `parser-bench.${verb}`,
    effect: 'read',
    needs: ['bench'],
    keys: [keys],
    unlisted: true,
    run: async (context) => {
      act(requireCapability(context, 'bench'));
      return {};
    },
  });
}

/** The keys of the parser bench. */
export const noun: Noun = {
  commands: [
    benchCommand('save', '$mod+Enter', (bench) => bench.save()),
    benchCommand('plan', 'Alt+Enter', (bench) => bench.plan()),
    benchCommand('next-pane', 'F6', (bench) => bench.focusPane(1)),
    benchCommand('previous-pane', 'Shift+F6', (bench) => bench.focusPane(-1)),
    benchCommand('next-error', 'F8', (bench) => bench.goToProblem()),
    benchCommand('next-difference', 'n', (bench) => bench.goToDifference(1)),
    benchCommand('previous-difference', 'Shift+N', (bench) => bench.goToDifference(-1)),
    // Like the sort of a table: changes what is listed.
    benchCommand('next-verdict', 's', (bench) => bench.showNextVerdict()),
    benchCommand('load-message', 'i', (bench) => bench.loadMessage()),
    benchCommand('move-field-up', 'Alt+ArrowUp', (bench) => bench.moveField(-1)),
    benchCommand('move-field-down', 'Alt+ArrowDown', (bench) => bench.moveField(1)),
    benchCommand('duplicate-field', 'Alt+Shift+ArrowDown', (bench) => bench.duplicateField()),
    benchCommand('remove-field', 'Alt+Delete', (bench) => bench.removeField()),
  ],
};
