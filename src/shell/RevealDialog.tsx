import { useAtom } from 'jotai';
import { useState } from 'react';

import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { revealAtom } from '#src/state/work.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';

/** Time in ms that "Copied" is shown (spec 9). */
const COPIED_MS = 1500;

/** Shows a secret once. Closing the dialog discards the secret. */
export function RevealDialog() {
  const translate = useTranslate();
  const t = useText('running');
  const [reveal, setReveal] = useAtom(revealAtom);
  const [isCopied, setCopied] = useState(false);
  if (!reveal) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(reveal.value);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Dialog
      open
      title={translate(reveal.label)}
      onCancel={() => setReveal(undefined)}
      actions={
        <>
          <Button autoFocus tone="primary" onClick={() => void copy()}>
            {t(isCopied ? 'reveal.copied' : 'reveal.copy')}
          </Button>
          <Button onClick={() => setReveal(undefined)}>{t('reveal.done')}</Button>
        </>
      }
    >
      <p className="pb-2 text-ink-2">{t('reveal.once')}</p>
      <output className="type-mono block rounded-field border border-line-strong bg-surface-2 p-2 break-all select-all">
        {reveal.value}
      </output>
    </Dialog>
  );
}
