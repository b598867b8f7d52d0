import { maskAddresses } from '@/lib/text/mask';
import type { KnownSecrets } from '../known-secrets';

interface Init {
  readonly secrets?: KnownSecrets | undefined;
}

/** A title as anybody may read it (SN6). */
export function redactedText({ secrets }: Init, title: string): string {
  return maskAddresses(secrets?.redactor.text(title) ?? title);
}

/** An address likewise. */
export function redactedAddress({ secrets }: Init, url: string): string {
  return maskAddresses(secrets?.redactor.address(url) ?? url);
}
