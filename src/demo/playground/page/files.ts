import type { Chosen } from '../protocol.ts';
import type { Client } from './client.ts';
import { showChosenFiles } from './form-values.ts';

/** Uploads the files that people choose in forms, before the form is sent. */
export class FileFields {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    document.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === 'file') void this.#upload(target);
    });
  }

  async #upload(field: HTMLInputElement): Promise<void> {
    const chosen: Chosen[] = [];
    for (const file of field.files ?? []) {
      const stored = await this.#client.upload(file);
      if (stored) chosen.push(stored);
    }
    showChosenFiles(field, chosen);
  }
}
