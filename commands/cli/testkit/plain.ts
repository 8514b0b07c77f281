import type { Session } from '#commands/cli/connection.ts';
import { listCommand } from '#commands/kit/standard.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, reset, tune } from '#commands/testkit/gadget.ts';
import type { Message, Translate } from '#commands/text/message.ts';

/** Translates a message to its key and values, which tests compare. */
export const translateKey: Translate = ({ key, values = {} }: Message): string => {
  const pairs = Object.entries(values).map(([name, value]) => {
    return `${name}=${typeof value === 'object' && 'key' in value ? value.key : String(value)}`;
  });
  return [key, ...pairs].join(' ');
};

/** A registry with only gadgets. */
export const gadgetRegistry = createRegistry([{ entity: gadget, commands: [tune, reset, listCommand(gadget)] }]);

/** Creates a session for a user with all permissions, without a server. */
export function testSession(): Session {
  const { api, actor, organization, preferences } = testContext();
  return {
    token: 'secret',
    server: 'http://127.0.0.1:7878',
    api,
    userSession: { actor, organization, preferences } as Session['userSession'],
  };
}
