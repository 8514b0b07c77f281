import { useEffect, useState } from 'react';

import { useText } from '#src/sign-in/frame/texts.ts';
import { Button } from '#src/ui/Button.tsx';

/** How long "Copied" is shown (spec 9). */
const COPIED_MS = 1500;

interface SecretTextProps {
  readonly label: string;
  readonly secret: string;
}

/** A secret to type or copy, in groups of four characters. */
export function SecretText({ label, secret }: SecretTextProps) {
  const t = useText();
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };

  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center justify-between text-label">
        <span className="font-medium text-ink-2">{label}</span>
        <Button tone="quiet" className="-mr-2 h-auto! px-2 text-label" onClick={() => void copy()}>
          <span aria-live="polite">{t(isCopied ? 'copied' : 'copy')}</span>
        </Button>
      </div>
      <code className="type-mono rounded-field border border-line bg-surface-2 px-2 py-1.5 wrap-anywhere select-all">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </code>
    </div>
  );
}
