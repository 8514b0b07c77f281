import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

import { cx } from './cx.ts';
import { useTabInView } from './use-tab-in-view.ts';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Shown after the label, less prominently. */
  readonly count?: number | string;
  readonly content: ReactNode;
}

interface TabsProps<Id extends string> {
  readonly tabs: readonly Tab<Id>[];
  readonly value: Id;
  readonly onValue: (id: Id) => void;
  /** Accessible name of the tab list. */
  readonly label: string;
  readonly className?: string;
}

/** The tabs of a panel. Mounts only the content of the open tab. */
export function Tabs<Id extends string>({ tabs, value, onValue, label, className }: TabsProps<Id>) {
  const choose = (id: string) => {
    const tab = tabs.find((candidate) => candidate.id === id);
    if (tab) onValue(tab.id);
  };
  const strip = useTabInView<HTMLDivElement>(value);
  return (
    <Radix.Root value={value} onValueChange={choose} className={cx('flex min-h-0 flex-col', className)}>
      <Radix.List ref={strip} aria-label={label} className="tab-strip h-tabs gap-4 px-4">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mx-1 border-b-2 border-transparent px-1 whitespace-nowrap text-ink-2 hover:text-ink-1 data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink-1"
          >
            {tab.label}
            {tab.count !== undefined && <span className="ml-1.5 text-ink-3">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.id}
          value={tab.id}
          className="min-h-0 flex-1 scroll-py-1 overflow-y-auto focus-visible:-outline-offset-2"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
