"""What is disturbed by ``benchmarks.chaos``: a site of several processes, and the debates that are played there."""
