import type { Message, Translate } from '#commands/text/message.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { listCommand } from '#commands/kit/standard.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, reset, tune } from '#commands/testkit/gadget.ts';
import type { Session } from '#commands/cli/connection.ts';

/** The key of a sentence with what it is filled in with, so that a test reads which one it is. */
export const sayKey: Translate = ({ key, values = {} }: Message): string => {
  const shown = Object.entries(values).map(([name, value]) => {
    return `${name}=${typeof value === 'object' && 'key' in value ? value.key : String(value)}`;
  });
  return [key, ...shown].join(' ');
};

/** What the gadgets can do. */
export const gadgetRegistry = createRegistry([{ entity: gadget, commands: [tune, reset, listCommand(gadget)] }]);

/** Somebody who may do everything, without a server. */
export function testSession(): Session {
  const { api, actor, organization, preferences } = testContext();
  return { server: 'http://127.0.0.1:7878', api, acting: { actor, organization, preferences } as Session['acting'] };
}
