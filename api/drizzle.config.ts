import { defineConfig } from 'drizzle-kit';

// `npx drizzle-kit generate --config api/drizzle.config.ts --name <what>`, from the repository's root.
export default defineConfig({
  dialect: 'postgresql',
  schema: './api/src/db/schema/index.ts',
  out: './api/src/db/migrations',
});
