"""Who takes part when live delivery is measured: a crowd of readers, a bare server, a writer."""
