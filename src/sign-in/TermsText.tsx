import { useEffect, useRef } from 'react';

import { useText } from './frame/texts.ts';

const SECTIONS = ['service', 'account', 'use', 'data', 'support', 'availability', 'liability', 'changes'] as const;

/** The terms, scrollable by mouse or arrow keys. Takes focus, because users come here to read them. */
export function TermsText() {
  const t = useText();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <div
      ref={ref}
      role="region"
      aria-label={t('terms.title')}
      tabIndex={0}
      className="flex max-h-72 flex-col gap-2.5 overflow-y-auto rounded-field border border-line bg-surface-2 px-3 py-2.5 text-ink-2"
    >
      {SECTIONS.map((section, index) => (
        <section key={section}>
          <h2 className="font-medium text-ink-1">
            {index + 1}. {t(`terms.${section}.title`)}
          </h2>
          <p>{t(`terms.${section}.text`)}</p>
        </section>
      ))}
    </div>
  );
}
