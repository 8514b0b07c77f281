import { commandTexts, type Command } from '#commands/model/command.ts';
import { entityTexts } from '#commands/model/entity.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { message, type Message } from '#commands/text/message.ts';

/**
 * Returns the title of a command in a terminal, where the command prints an item or a list instead of opening a screen.
 */
export function terminalTitle(command: Command, registry: Registry): Message {
  const entity = registry.entities.find(({ name }) => name === command.noun);
  if (entity && command.verb === 'list') return message('core:cli.help.list', { entity: entityTexts.many(entity) });
  if (entity && command.verb === 'open') return message('core:cli.help.open', { entity: entityTexts.one(entity) });
  const isPage = registry.pages.some(({ noun, name }) => noun === command.noun && name === command.verb);
  return isPage ? commandTexts.terminal(command) : commandTexts.title(command);
}
