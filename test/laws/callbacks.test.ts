import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/experimental';
import { expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
