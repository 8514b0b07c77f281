import { commandLabels, type Command } from '#commands/model/command.ts';
import { entityLabels } from '#commands/model/entity.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { message, type Message } from '#commands/text/message.ts';

/**
 * Returns the title of a command in a terminal, where the command prints an item or a list instead of opening a screen.
 */
export function terminalTitle(command: Command, registry: Registry): Message {
  const entity = registry.entities.find(({ name }) => name === command.noun);
  if (entity && command.verb === 'list') return message('core:cli.help.list', { entity: entityLabels.many(entity) });
  if (entity && command.verb === 'open') return message('core:cli.help.open', { entity: entityLabels.one(entity) });
  const isPage = registry.pages.some(({ noun, name }) => noun === command.noun && name === command.verb);
  return isPage ? commandLabels.terminal(command) : commandLabels.title(command);
}
