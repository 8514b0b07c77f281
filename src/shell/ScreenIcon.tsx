import {
  ArrowLeftRight,
  Binary,
  Building2,
  Cpu,
  GitCommitHorizontal,
  Info,
  KeyRound,
  LifeBuoy,
  RadioTower,
  Tag,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { createElement } from 'react';

/** The icons that screens use (`Screen.icon`), keyed by their Lucide names. Only these are bundled. */
export const ICONS: Readonly<Record<string, LucideIcon>> = {
  'arrow-left-right': ArrowLeftRight,
  binary: Binary,
  'building-2': Building2,
  'git-commit-horizontal': GitCommitHorizontal,
  info: Info,
  'key-round': KeyRound,
  'life-buoy': LifeBuoy,
  'radio-tower': RadioTower,
  tag: Tag,
  users: Users,
  webhook: Webhook,
};

export function ScreenIcon({ name }: { readonly name: string }) {
  return createElement(ICONS[name] ?? Cpu, {
    size: 15,
    strokeWidth: 1.75,
    'aria-hidden': true,
    className: 'shrink-0',
  });
}
