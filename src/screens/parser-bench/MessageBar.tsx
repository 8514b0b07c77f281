import type { StoredMessage } from '#commands/nouns/data/parser/bench/comparison.ts';
import { useMoment, useText } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory } from '#src/registry/registry.ts';
import { Button } from '#src/ui/Button.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';

interface MessageBarProps {
  readonly message: StoredMessage | undefined;
  readonly position: number;
  readonly count: number;
  readonly typed: string | undefined;
  readonly problem: string | undefined;
  readonly onTyped: (text: string | undefined) => void;
  readonly onStep: (direction: 1 | -1) => void;
}

/** Chooses the message in the bench: a stored one, or pasted bytes. */
export function MessageBar({
  message: shownMessage,
  position,
  count,
  typed,
  problem,
  onTyped,
  onStep,
}: MessageBarProps) {
  const t = useText('parser');
  const moment = useMoment();
  const sentTime =
    shownMessage && (shownMessage.sentMs === undefined ? shownMessage.sent : moment(shownMessage.sentMs));
  return (
    <div className="flex min-h-filter shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
      <span className="w-72">
        <TextInput
          mono
          aria-label={t('bench.paste')}
          aria-invalid={problem !== undefined}
          placeholder={t('bench.paste')}
          value={typed ?? ''}
          onText={(text) => onTyped(text === '' ? undefined : text)}
          className="h-[26px]"
        />
      </span>
      {problem !== undefined && (
        <span role="alert" className="text-error-text">
          {problem}
        </span>
      )}
      {typed === undefined && shownMessage && (
        <>
          <span className="min-w-0 truncate text-ink-2">
            <span className="type-mono">{shownMessage.device}</span> · {sentTime}
          </span>
          <span className="text-ink-3">{position < 0 ? '' : t('bench.position', { number: position + 1, count })}</span>
          <span className="flex gap-1">
            <StepButton label={t('bench.newer')} command="view.previous-item" onClick={() => onStep(-1)} />
            <StepButton label={t('bench.older')} command="view.next-item" onClick={() => onStep(1)} />
          </span>
        </>
      )}
      {typed !== undefined && problem === undefined && <span className="text-ink-3">{t('bench.pasted')}</span>}
      <span className="flex-1" />
      <span className="truncate text-label text-ink-3">{t('bench.asYouType')}</span>
    </div>
  );
}

interface StepButtonProps {
  readonly label: string;
  /** The command with the same key. */
  readonly command: string;
  readonly onClick: () => void;
}

function StepButton({ label, command, onClick }: StepButtonProps) {
  const keys = useKeyHints()(directory().command(command));
  return (
    <Button tone="quiet" className="h-6 px-1" aria-label={label} {...keys?.attributes} onClick={onClick}>
      {keys ? <Kbd keys={keys.text} framed /> : label}
    </Button>
  );
}
