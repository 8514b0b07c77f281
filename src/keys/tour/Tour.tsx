import { useAtom, useAtomValue } from 'jotai';
import { Check } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

import { accessibleDestinations } from '#src/address/paths.ts';
import { currentUserId } from '#src/auth/session.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { overridesAtom, useKeyHints } from '#src/keymap/bindings.ts';
import { formatKeys, toKeyHint } from '#src/keymap/format.ts';
import { isComposing, isModifier } from '#src/keymap/press.ts';
import { createResolver } from '#src/keymap/resolver.ts';
import { isPressable } from '#src/keymap/target.ts';
import { directory } from '#src/registry/registry.ts';
import { onLayerShown } from '#src/state/key-queue.ts';
import { tourOpenAtom } from '#src/state/layers.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import { Dialog } from '#src/ui/overlays/Dialog.tsx';

import { toKeystroke } from '../capture.ts';
import { Practice } from './Practice.tsx';
import { tourSteps, type Step } from './steps.ts';
import { rememberTour } from './tour-storage.ts';

/** The introduction, which teaches a few keys by having the user press them. */
export function Tour() {
  const t = useText('help');
  const [open, setOpen] = useAtom(tourOpenAtom);
  const session = useAtomValue(userSessionAtom);
  const close = (): void => setOpen(false);
  // The dialog's own effect, which opens the dialog, runs before this effect.
  useEffect(() => {
    if (!open) return;
    const userId = currentUserId();
    if (userId !== undefined) rememberTour(userId);
    onLayerShown();
  }, [open]);
  if (!session) return null;
  return (
    <Dialog open={open} onCancel={close} title={t('tour.title')} width={760}>
      {open && <Lesson session={session} onClose={close} />}
    </Dialog>
  );
}

interface LessonProps {
  readonly session: UserSession;
  readonly onClose: () => void;
}

function Lesson({ session, onClose }: LessonProps) {
  const translate = useTranslate();
  const t = useText('help');
  const root = useRef<HTMLDivElement>(null);
  const keyHints = useKeyHints();
  const overrides = useAtomValue(overridesAtom);
  const { singleKeys } = useAtomValue(settingsAtom);
  const [steps] = useState(() => tourSteps({ directory: directory(), session, overrides, singleKeys }));
  const [resolver] = useState(createResolver);
  const [doneCount, setDoneCount] = useState(0);
  /** The keys pressed so far in a sequence, or a wrong key. */
  const [typed, setTyped] = useState<{ readonly keys: string; readonly isWrong: boolean }>();
  const step = steps[doneCount];
  const completedSteps = new Set(steps.slice(0, doneCount).map(({ name }) => name));
  const helpKeys = keyHints(directory().command('app.help'))?.text;
  const screen = accessibleDestinations(session).find(({ command }) =>
    steps.some(({ binding }) => binding.command.id === command),
  );

  useEffect(() => {
    if (step) root.current?.focus();
    else root.current?.querySelector<HTMLElement>('[data-start]')?.focus();
  }, [step]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const { nativeEvent } = event;
    const isLeaving = event.key === 'Escape' || event.key === 'Tab';
    const isPressing = isPressable(event.target) && (event.key === 'Enter' || event.key === ' ');
    if (!step || isLeaving || isPressing || isComposing(nativeEvent) || isModifier(nativeEvent)) return;
    event.preventDefault();
    if (event.repeat) return;
    for (const result of resolver.press(nativeEvent, [step.binding])) {
      if (result.kind === 'run') {
        setDoneCount(doneCount + 1);
        setTyped(undefined);
      } else if (result.kind === 'pending') {
        setTyped({ keys: formatKeys(result.typed), isWrong: false });
      } else {
        setTyped({ keys: formatKeys(toKeystroke(nativeEvent) ?? ''), isWrong: true });
      }
    }
  };

  const instruction = ({ binding }: Step): string => {
    const keys = formatKeys(binding.keys);
    if (!typed) return t('tour.doNext', { keys });
    return typed.isWrong ? t('tour.other', { typed: typed.keys, keys }) : t('tour.typed', { keys: typed.keys });
  };

  return (
    <div ref={root} tabIndex={-1} onKeyDown={onKeyDown} className="grid gap-4 outline-none">
      <p className="-mt-1 text-ink-2">{t('tour.about')}</p>
      <div className="grid gap-x-6 gap-y-4 md:grid-cols-[minmax(0,1fr)_320px]">
        <ol className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)_16px] content-start gap-x-3 gap-y-1">
          {steps.map(({ name, binding }, index) => {
            const isDone = index < doneCount;
            const isCurrent = index === doneCount;
            return (
              <li
                key={name}
                aria-current={isCurrent ? 'step' : undefined}
                className={cx(
                  'col-span-full grid min-h-11 grid-cols-subgrid items-center rounded-field px-3 py-1.5',
                  isCurrent ? 'bg-surface-3 text-ink-1' : 'text-ink-2',
                )}
              >
                <span className="min-w-16 text-right">
                  <Kbd
                    framed
                    spoken
                    wraps
                    keys={formatKeys(binding.keys)}
                    className={isCurrent ? 'border-accent text-ink-1' : ''}
                  />
                </span>
                <span>{t(`tour.steps.${name}`)}</span>
                {isDone && (
                  <span className="text-accent">
                    <Check size={15} aria-hidden />
                    <span className="sr-only">{t('tour.pressed')}</span>
                  </span>
                )}
              </li>
            );
          })}
        </ol>
        <Practice
          completedSteps={completedSteps}
          keys={steps.map(({ binding }) => formatKeys(binding.keys))}
          screen={screen ? translate(screen.title) : ''}
        />
      </div>
      <div className="-mx-4 -mb-4 flex min-h-14 items-center gap-4 border-t border-line bg-surface-0 px-4 py-3">
        <p role="status" className="min-w-0 flex-1 text-ink-2">
          {step && <span className="sr-only">{t(`tour.steps.${step.name}`)}. </span>}
          {step
            ? instruction(step)
            : helpKeys === undefined
              ? t('tour.doneWithoutHelp')
              : t('tour.done', { help: helpKeys })}
        </p>
        {step ? (
          <Button onClick={onClose} keys={toKeyHint('Escape')}>
            {t('tour.skip')}
          </Button>
        ) : (
          <Button data-start="" tone="primary" onClick={onClose} keys={toKeyHint('Enter')}>
            {t('tour.start')}
          </Button>
        )}
      </div>
    </div>
  );
}
