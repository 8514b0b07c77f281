import type { Command } from '#commands/model/command.ts';
import type { Capability } from '#commands/model/host.ts';
import type { Registry } from '#commands/registry/registry.ts';

/** What the command line can do of what a command may need; the others are not shown. */
const CAPABILITIES: ReadonlySet<Capability> = new Set<Capability>(['output', 'line']);

export function runsHere(command: Command): boolean {
  return command.needs?.every((need) => CAPABILITIES.has(need)) ?? true;
}

/** The registry as far as it works in a terminal: what the help lists, and what a misspelt word may mean. */
export function registryHere(registry: Registry): Registry {
  const commands = registry.commands.filter(runsHere);
  return { ...registry, commands, command: (id) => commands.find((command) => command.id === id) };
}
