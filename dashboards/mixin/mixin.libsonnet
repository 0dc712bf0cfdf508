// Dashboards and alerts as a Prometheus mixin. They are those of ../grafana and ../prometheus; _config
// changes what differs between places. Thresholds: _config.rules.
local names = ['checker', 'history', 'overview', 'proxies'];

local files = {
  checker: import '../grafana/isotail-checker.json',
  history: import '../grafana/isotail-history.json',
  overview: import '../grafana/isotail-overview.json',
  proxies: import '../grafana/isotail-proxies.json',
};

{
  _config:: {
    // Name of the scrape job of the monitors.
    job: 'isotail',
    // Tags that all dashboards have.
    dashboardTags: ['isotail'],
    // What each alert has beside its own labels, to route by.
    alertLabels: {},
    // What 'isotail rules --format json' printed, with other thresholds perhaps.
    rules: import 'rules.json',
  },

  local config = self._config,
  local groups = config.rules.groups,
  local ofKind(kind) = [
    group { rules: [rule for rule in group.rules if std.objectHas(rule, kind)] }
    for group in groups
    if std.length([rule for rule in group.rules if std.objectHas(rule, kind)]) > 0
  ],
  local here(rule) = rule {
    expr: std.strReplace(rule.expr, 'job="isotail"', 'job="%s"' % config.job),
  },

  grafanaDashboards+:: {
    ['isotail-%s.json' % name]: files[name] { tags: std.set(super.tags + config.dashboardTags) }
    for name in names
  },

  prometheusAlerts+:: {
    groups+: [
      group { rules: [here(rule) { labels+: config.alertLabels } for rule in group.rules] }
      for group in ofKind('alert')
    ],
  },

  // Recording rules: none are needed so far.
  prometheusRules+:: {
    groups+: [group { rules: [here(rule) for rule in group.rules] } for group in ofKind('record')],
  },
}
