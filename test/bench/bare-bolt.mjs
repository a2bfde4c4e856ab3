// The least work of an app for a message: Bolt answers the event and sets a status. Prints its address.
import bolt from '@slack/bolt';

const { App, HTTPReceiver } = bolt;
const receiver = new HTTPReceiver({ signingSecret: process.env.SLACK_SIGNING_SECRET ?? '' });
const app = new App({
  receiver,
  authorize: async () => ({ botToken: process.env.SLACK_BOT_TOKEN ?? '' }),
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL ?? '' },
});
app.event('app_mention', async ({ event, client }) => {
  await client.apiCall('assistant.threads.setStatus', {
    channel_id: event.channel,
    thread_ts: event.ts,
    status: 'is thinking…',
  });
});
const server = await app.start({ port: 0, host: '127.0.0.1' });
console.log(`http://127.0.0.1:${server.address().port}/slack/events`);
