import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';

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

/** Replaces all custom keys with the pasted keys. Changes nothing if the text is invalid. */
const pasteKeys = command({
  id: 'app.paste-keys',
  effect: 'navigate',
  needs: ['keys'],
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
  run: async (context, { keys }) => {
    const count = requireCapability(context, 'keys').replace(keys);
    return { message: message('app:done.keysPasted', { count }) };
  },
});

export const keys: readonly Command[] = [copyKeys, pasteKeys];
