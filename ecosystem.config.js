/** PM2 in a clone of this repository: `pm2 start ecosystem.config.js`. Into a folder of your own copy ecosystem.config.cjs (docs/pm2.md). */
export { apps } from './ecosystem.config.cjs';
