import { command, type Command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import type { Outcome } from '#commands/model/result.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';

/** Copies the user's custom keys as text, to save them or to paste them in another browser. */
const copyKeys = command({
  id: 'app.copy-keys',
  effect: 'read',
  needs: ['keys', 'clipboard'],
  run: async (context) => {
    const text = requireCapability(context, 'keys').print();
    const isCopied = await requireCapability(context, 'clipboard').write(Promise.resolve(text));
    return isCopied ? { message: message('app:done.keysCopied') } : {};
  },
});

/** The text of no custom keys. */
const NONE = '{}';

/** Replaces all custom keys. Copies the previous ones first, because undo can't restore them. */
async function replaceKeys(context: Context, text: string, done: (count: number) => Message): Promise<Outcome> {
  const keys = requireCapability(context, 'keys');
  const previous = keys.print();
  const isCopied =
    previous !== NONE && (await requireCapability(context, 'clipboard').write(Promise.resolve(previous)));
  const result = done(keys.replace(text));
  return { message: isCopied ? message('app:done.previousKeysCopied', { result }) : result };
}

/** Replaces all custom keys with the pasted keys. Changes nothing if the text is invalid. */
const pasteKeys = command({
  id: 'app.paste-keys',
  effect: 'read',
  needs: ['keys', 'clipboard'],
  params: {
    keys: required(
      p.text({
        multiline: true,
        maxLength: MAX_LENGTH.notes,
        placeholder: '{ "device.rename": ["n"] }',
        check: (text, { host }) => host.keys?.problem(text),
      }),
    ),
  },
  positional: ['keys'],
  run: (context, { keys }) => replaceKeys(context, keys, (count) => message('app:done.keysPasted', { count })),
});

const resetKeys = command({
  id: 'app.reset-keys',
  effect: 'read',
  needs: ['keys', 'clipboard'],
  run: (context) => replaceKeys(context, NONE, () => message('app:done.keysReset')),
});

const keysParams = {
  command: required(p.text({ placeholder: 'device.rename', closed: true, suggest: suggestCommands })),
  keys: required(p.text({ placeholder: 'g n' })),
};

async function suggestCommands({ host }: Context): Promise<readonly Suggestion[]> {
  return host.keys?.commands() ?? [];
}

const addKey = command({
  id: 'app.add-key',
  effect: 'read',
  needs: ['keys'],
  params: keysParams,
  positional: ['command', 'keys'],
  run: async (context, { command: id, keys }) => {
    requireCapability(context, 'keys').add(id, keys);
    return { message: message('app:done.keyAdded', { id, keys }) };
  },
});

/** Can leave a command without keys. It stays available in the palette. */
const removeKey = command({
  id: 'app.remove-key',
  effect: 'read',
  needs: ['keys'],
  params: keysParams,
  positional: ['command', 'keys'],
  run: async (context, { command: id, keys }) => {
    requireCapability(context, 'keys').remove(id, keys);
    return { message: message('app:done.keyRemoved', { id, keys }) };
  },
});

export const keys: readonly Command[] = [copyKeys, pasteKeys, resetKeys, addKey, removeKey];
