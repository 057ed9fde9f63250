"""Addresses of the pages of rubrics."""

from django.urls import path

from scoring.views import rubrics

urlpatterns = [
    path("", rubrics.RubricList.as_view(), name="rubrics"),
    path("new/", rubrics.NewRubric.as_view(), name="new-rubric"),
    path("import/", rubrics.ImportRubric.as_view(), name="import-rubric"),
    path("<uuid:id>/", rubrics.RubricPage.as_view(), name="rubric"),
    path("<uuid:id>/next/", rubrics.NextVersion.as_view(), name="next-rubric"),
    path("<uuid:id>/compare/", rubrics.ComparedVersions.as_view(), name="compare-rubrics"),
    path("<uuid:id>/rubric.<str:kind>", rubrics.RubricFile.as_view(), name="rubric-file"),
]
