import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import { createExample } from '#commands/line/examples.ts';
import { printLine } from '#commands/line/line.ts';
import { argumentForm, describeArgument, printUsage } from '#commands/line/usage.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { isKeyOf, useKeyHints, workingKeysOf } from '#src/keymap/bindings.ts';
import { formatKeys, toKeyHint } from '#src/keymap/format.ts';
import { isPressable } from '#src/keymap/target.ts';
import { writeClipboard } from '#src/run/clipboard.ts';
import { Footer } from '#src/search/Footer.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';

interface CommandDetailsProps {
  readonly command: Command;
  readonly registry: Registry;
  /** The reason why the command can't run now. */
  readonly reason: string | undefined;
  readonly onRun: () => void;
  readonly onRebind: () => void;
  readonly onBack: () => void;
}

/** Shows the description of a command, its keys, its line with every argument, and an example to copy. */
export function CommandDetails({ command, registry, reason, onRun, onRebind, onBack }: CommandDetailsProps) {
  const translate = useTranslate();
  const t = useText('help');
  const root = useRef<HTMLDivElement>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => root.current?.focus(), []);
  const label = (name: string): string => t(`details.${name}`);
  const keyHints = useKeyHints();
  const copyCommand = registry.command('view.copy');
  const copyKeys = keyHints(copyCommand);
  const keys = workingKeysOf(command);
  const params = Object.entries(command.params);
  const example = printLine(createExample(command), registry);
  const copy = (): void => {
    void writeClipboard(Promise.resolve(example)).then(setCopied);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOnButton = isPressable(event.target);
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      Escape: onBack,
      Backspace: onBack,
      F2: onRebind,
      Enter: isOnButton ? undefined : onRun,
    };
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCopy = copyCommand !== undefined && isKeyOf(copyCommand, event.nativeEvent);
    const action = isCopy ? copy : isPlain ? actions[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return (
    <div ref={root} tabIndex={-1} onKeyDown={onKeyDown} className="-mx-4 -mb-4 outline-none">
      <div className="grid max-h-[calc(80vh-140px)] gap-4 overflow-y-auto px-4 pb-4">
        <p className="-mt-1 text-ink-2">{translate(commandLabels.about(command))}</p>
        <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-x-4 gap-y-2">
          <dt className="text-label text-ink-3">{label('keys')}</dt>
          <dd className="flex flex-wrap gap-1.5">
            {keys.length === 0 && <span className="text-ink-3">{label('noKeys')}</span>}
            {keys.map((sequence) => (
              <Kbd key={sequence} framed spoken wraps keys={formatKeys(sequence)} />
            ))}
          </dd>
          {reason !== undefined && (
            <>
              <dt className="text-label text-ink-3">{label('unavailable')}</dt>
              <dd className="text-ink-2">{reason}</dd>
            </>
          )}
          <dt className="text-label text-ink-3">{label('line')}</dt>
          <dd className="type-mono break-words text-ink-1">{printUsage(command, registry)}</dd>
          <dt className="text-label text-ink-3">{label('example')}</dt>
          <dd className="flex items-start gap-2">
            <code className="min-w-0 flex-1 rounded-field bg-surface-2 px-2 py-1 type-mono break-words text-ink-1">
              {example}
            </code>
            <Button onClick={copy} keys={copyKeys} className="shrink-0">
              {label(copied ? 'copied' : 'copy')}
            </Button>
          </dd>
        </dl>
        {params.length > 0 && (
          <section className="grid gap-1">
            <h3 className="text-label text-ink-3">{label('arguments')}</h3>
            <table className="w-full border-collapse text-left">
              <tbody>
                {params.map(([name, param]) => (
                  <tr key={name} className="border-t border-line align-top">
                    <th scope="row" className="w-56 py-1 pr-4 type-mono font-normal break-words text-ink-1">
                      {argumentForm(command, name, param)}
                    </th>
                    <td className="py-1 text-ink-2">
                      {describeArgument(command, name, param, translate, { short: true })}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
      <p role="status" className="sr-only">
        {copied ? label('copied') : ''}
      </p>
      <Footer
        hints={[
          ...(reason === undefined ? [{ keys: toKeyHint('Enter'), label: t('sheet.run'), run: onRun }] : []),
          { keys: toKeyHint('F2'), label: t('sheet.change'), run: onRebind },
          { keys: toKeyHint('Escape'), label: label('back'), run: onBack },
        ]}
      />
    </div>
  );
}
