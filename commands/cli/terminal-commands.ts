import type { Command } from '#commands/model/command.ts';
import type { Capability } from '#commands/model/host.ts';
import type { Registry } from '#commands/registry/registry.ts';

/** The capabilities of the command line. Commands that need others are hidden. */
const CAPABILITIES: ReadonlySet<Capability> = new Set<Capability>(['output', 'line', 'files', 'timer']);

export function runsInTerminal(command: Command): boolean {
  return command.needs?.every((need) => CAPABILITIES.has(need)) ?? true;
}

/** Returns the registry without console-only commands, for the help and for suggestions. */
export function terminalRegistry(registry: Registry): Registry {
  const commands = registry.commands.filter(runsInTerminal);
  return { ...registry, commands, command: (id) => commands.find((command) => command.id === id) };
}
