// A gateway's preload: its machine's clock is off by so much.

const skewMs = Number(process.env.CLOCK_SKEW_MS);
const trueNow = Date.now;
Date.now = () => trueNow() + skewMs;
