/** Programs that read the API and take webhooks, as they are copied from the page. `origin`: the pool's. */
export const SAMPLES = {
  curl: (origin: string) => `export POOL_KEY=pk_...
curl -H "Authorization: Bearer $POOL_KEY" ${origin}/api/getLiveHashrates/
curl -H "Authorization: Bearer $POOL_KEY" ${origin}/api/getWorkerCount/
curl -H "Authorization: Bearer $POOL_KEY" ${origin}/api/payment/
`,
  Python: (origin: string) => `import json, os, urllib.request

def pool(path):
    request = urllib.request.Request(
        "${origin}/api" + path,
        headers={"Authorization": "Bearer " + os.environ["POOL_KEY"]})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)

print(pool("/getLiveHashrates/")["h1"], "H/s, mean of the last hour")
print(pool("/getWorkerCount/"))
print(pool("/payment/")["unpaidSat"], "satoshis to be paid")
`,
  Prometheus: (origin: string) => `# POOL_KEY=pk_... python3 exporter.py; in prometheus.yml:
#   scrape_configs:
#     - job_name: pool
#       scrape_interval: 60s
#       static_configs: [{targets: ["localhost:9955"]}]
import json, os, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

def pool(path):
    request = urllib.request.Request(
        "${origin}/api" + path,
        headers={"Authorization": "Bearer " + os.environ["POOL_KEY"]})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)

class Metrics(BaseHTTPRequestHandler):
    def do_GET(self):
        lines = []
        for algorithm in ("SHA256_ASICBOOST", "SCRYPT"):
            label = 'algorithm="%s"' % algorithm
            rates = pool("/getLiveHashrates/?algorithm=" + algorithm)
            lines.append("pool_hashrate_hs{%s} %s" % (label, rates["h1"] or 0))
            for state, count in pool("/getWorkerCount/?algorithm=" + algorithm).items():
                if state != "total":
                    lines.append('pool_workers_count{%s,state="%s"} %s' % (label, state, count))
        lines.append("pool_unpaid_satoshis %s" % pool("/payment/")["unpaidSat"])
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(("\\n".join(lines) + "\\n").encode())

HTTPServer(("", 9955), Metrics).serve_forever()
`,
  Webhook: () => `# WEBHOOK_SECRET=whsec_... python3 receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        id, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = hmac.new(KEY, ("%s.%s." % (id, at)).encode() + body, hashlib.sha256)
        expected = "v1," + base64.b64encode(signed.digest()).decode()
        known = self.headers["webhook-signature"].split(" ")
        ok = any(hmac.compare_digest(expected, each) for each in known)
        ok = ok and abs(time.time() - int(at)) < 300
        self.send_response(200 if ok else 401)
        self.end_headers()
        if ok and id not in seen:
            seen.add(id)
            print(json.loads(body))

HTTPServer(("", 9956), Receiver).serve_forever()
`,
} as const;
